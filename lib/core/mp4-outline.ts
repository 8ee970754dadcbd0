/** One top-level box of an MP4 file: its type, offset and declared size. */
export interface TopBox {
  readonly type: string;
  readonly start: number;
  readonly size: number;
}

export interface Mp4Outline {
  /** The first brand of `ftyp`, such as "isom". */
  readonly brand: string;
  readonly boxes: readonly TopBox[];
  /** Bytes of the whole file. */
  readonly fileSize: number;
}

/** Why a file is not a complete MP4, as an error message; null if it is one. */
export function brokenOutline({ brand, boxes, fileSize }: Mp4Outline): string | null {
  if (fileSize === 0) return 'the file is empty';
  const [first] = boxes;
  if (first?.type !== 'ftyp') return 'the file is not an MP4';
  if (brand === 'qt  ') return 'the container is QuickTime (MOV); MP4 is accepted';
  const last = boxes.at(-1);
  if (last && last.start + last.size > fileSize) {
    return `the file is incomplete: it ends after ${fileSize} bytes, in the middle of its ${last.type} box`;
  }
  if (!boxes.some(({ type }) => type === 'moov')) {
    return 'the file is incomplete: its index (the moov box) is missing';
  }
  return null;
}

/** Whether it can be played while it is still being fetched: the index first, and one index for everything. */
export function playsFromStart({ boxes }: Mp4Outline): boolean {
  const place = (wanted: string) => boxes.findIndex(({ type }) => type === wanted);
  return place('moof') === -1 && place('mdat') > place('moov');
}
