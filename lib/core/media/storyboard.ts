import { writeWebVtt } from '../captions/caption-file';

export interface StoryboardLayout {
  /** Seconds between two pictures. */
  readonly interval: number;
  /** Pixels of one picture. */
  readonly width: number;
  readonly height: number;
  /** Pictures per row of a sheet. */
  readonly columns: number;
  readonly rows: number;
}

const width = 160;
const [columns, rows] = [5, 5];
const maxPictures = 100;

/** Layout of a storyboard: at most a hundred pictures, at least a second apart. */
export function storyboardLayout(duration: number, aspect: number): StoryboardLayout {
  const interval = Math.max(1, Math.ceil(duration / maxPictures));
  const height = Math.min(320, Math.max(40, Math.round(width / aspect / 2) * 2));
  return { interval, width, height, columns, rows };
}

/** Times of the pictures, in seconds. */
export const storyboardTimes = ({ interval }: StoryboardLayout, duration: number): number[] =>
  Array.from({ length: Math.max(1, Math.ceil(duration / interval)) }, (_, index) => index * interval);

/** WebVTT thumbnails: each cue references a sheet next to this file, and an area in the sheet. */
export function storyboardCues(layout: StoryboardLayout, duration: number, sheets: number): string {
  const perSheet = layout.columns * layout.rows;
  const pictures = Math.min(Math.ceil(duration / layout.interval), sheets * perSheet);
  const cues = Array.from({ length: pictures }, (_, index) => {
    const cell = index % perSheet;
    const [x, y] = [cell % layout.columns, Math.floor(cell / layout.columns)];
    const part = [x * layout.width, y * layout.height, layout.width, layout.height].join(',');
    const startSeconds = index * layout.interval;
    const endSeconds = Math.min(startSeconds + layout.interval, duration);
    const text = `storyboard-${Math.floor(index / perSheet) + 1}.jpg#xywh=${part}`;
    return { startMs: startSeconds * 1_000, endMs: Math.round(endSeconds * 1_000), settings: '', text };
  });
  return writeWebVtt(cues);
}
