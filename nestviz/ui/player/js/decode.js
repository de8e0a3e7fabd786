// Reads the message of protocol.py: header length, JSON header, padding, arrays.

const QUANTUM = 32000;
const ARRAY_TYPES = {
  int16: Int16Array, uint8: Uint8Array, uint32: Uint32Array, float64: Float64Array,
};

function decodeSweep(bytes) {
  const length = new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  const body = 4 + length + ((4 - (length % 4)) % 4);
  const arrays = header.arrays.map(({ dtype, offset, length: count }) => {
    const Type = ARRAY_TYPES[dtype];
    const start = body + offset;
    // The slice is a copy, which also gives the array the alignment its type demands.
    return new Type(bytes.slice(start, start + count * Type.BYTES_PER_ELEMENT).buffer);
  });
  const layer = (places) => places && {
    vertices: arrays[places.vertices],
    ringStarts: arrays[places.ring_starts],
    frameStarts: arrays[places.frame_starts],
  };
  return {
    ...header,
    levels: arrays[header.levels],
    panels: header.panels.map((panel) => ({
      ...panel,
      points: arrays[panel.points],
      classes: arrays[panel.classes],
      sets: layer(panel.sets),
      overlay: layer(panel.overlay),
      markerSizes: panel.marker_sizes === null ? null : arrays[panel.marker_sizes],
      flags: panel.flags === null ? null : arrays[panel.flags],
    })),
  };
}

// Fractions of the view box, from the left and from the top.
const acrossOf = (quantised) => quantised / QUANTUM + 0.5;
const downOf = (quantised) => 0.5 - quantised / QUANTUM;

function layerPath(layer, frame, plot) {
  const path = new Path2D();
  const { vertices, ringStarts, frameStarts } = layer;
  for (let ring = frameStarts[frame]; ring < frameStarts[frame + 1]; ring++) {
    const [first, end] = [ringStarts[ring], ringStarts[ring + 1]];
    for (let v = first; v < end; v++) {
      const x = plot.x + acrossOf(vertices[2 * v]) * plot.w;
      const y = plot.y + downOf(vertices[2 * v + 1]) * plot.h;
      if (v === first) path.moveTo(x, y);
      else path.lineTo(x, y);
    }
    path.closePath();
  }
  return path;
}
