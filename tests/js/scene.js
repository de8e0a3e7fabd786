// The scene that scene_fixture.py has written, and what Python says of it.

import { readFileSync } from "node:fs";

import { decodeScene } from "../../nestviz/ui/player/js/decode.js";

const read = (name) => readFileSync(new URL(name, import.meta.url));

export const message = new Uint8Array(read("./scene.bin"));
export const expected = JSON.parse(read("./scene.json"));
export const scene = decodeScene(message);
