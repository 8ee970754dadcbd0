/** A box inside a buffer; `start` and `end` enclose its content. */
export interface FoundBox {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/**
 * The consecutive boxes between two offsets (ISO/IEC 14496-12 §4.2).
 * @throws Error if one is truncated
 */
export function* readBoxes(data: Buffer, start = 0, end = data.length): Generator<FoundBox> {
  for (let offset = start; offset < end;) {
    const size = offset + 8 <= end ? data.readUInt32BE(offset) : 0;
    if (size < 8 || offset + size > end) throw new Error(`Box at ${offset} is truncated`);
    yield { type: data.toString('latin1', offset + 4, offset + 8), start: offset + 8, end: offset + size };
    offset += size;
  }
}

/**
 * The first box at the end of a path such as `['moov', 'trak']`.
 * @throws Error if there is none
 */
export function findBox(data: Buffer, path: readonly string[], within?: FoundBox): FoundBox {
  let box: FoundBox = within ?? { type: '', start: 0, end: data.length };
  for (const type of path) box = findChild(data, box, type);
  return box;
}

function findChild(data: Buffer, parent: FoundBox, type: string): FoundBox {
  for (const box of readBoxes(data, parent.start, parent.end)) if (box.type === type) return box;
  throw new Error(`Box ${type} is missing`);
}
