// An element without a picture: it only hands marks over to the player of the same id.

export default function mountMarker({ data }) {
  setMarks(data.id, data.rows);
}
