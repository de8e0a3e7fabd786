// An element without a picture: it passes marks on to the player of the same id.

/** @import { Component } from "../../components/js/dom.js" */
import { setMarks } from "./marks.js";

/** @param {Component<{ id: string, rows: number[] }>} component */
export default function mountMarker({ data }) {
  setMarks(data.id, data.rows);
}
