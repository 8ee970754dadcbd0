/** A parsed box. */
export interface ReadBox {
  readonly type: string;
  /** Content after size and type. */
  readonly body: Buffer;
  readonly children: readonly ReadBox[];
}

/** Bytes before the child boxes, by type of the container. */
const CONTAINERS: Readonly<Record<string, number>> = {
  moov: 0, trak: 0, mdia: 0, minf: 0, stbl: 0, dinf: 0, mvex: 0, moof: 0, traf: 0,
  stsd: 8, dref: 8, avc1: 78, mp4a: 28,
}; // prettier-ignore

/** Parses boxes and requires every size to be exact. */
export function readBoxes(bytes: Buffer): ReadBox[] {
  const boxes: ReadBox[] = [];
  for (let offset = 0; offset < bytes.length;) {
    const size = bytes.readUInt32BE(offset);
    const type = bytes.toString('latin1', offset + 4, offset + 8);
    if (size < 8 || offset + size > bytes.length) throw new Error(`Box ${type} has a wrong size of ${size}`);
    const body = bytes.subarray(offset + 8, offset + size);
    const skip = CONTAINERS[type];
    boxes.push({ type, body, children: skip === undefined ? [] : readBoxes(body.subarray(skip)) });
    offset += size;
  }
  return boxes;
}

/** The first box at a path such as `moof/traf/tfdt`; `#1` after a type selects its second box. */
export function findBox(bytes: Buffer, path: string): ReadBox {
  let boxes: readonly ReadBox[] = readBoxes(bytes);
  let foundBox: ReadBox | undefined;
  for (const step of path.split('/')) {
    const [type, index = '0'] = step.split('#');
    foundBox = boxes.filter((box) => box.type === type)[Number(index)];
    if (!foundBox) throw new Error(`Box ${path} is missing`);
    boxes = foundBox.children;
  }
  if (!foundBox) throw new Error('The path is empty');
  return foundBox;
}
