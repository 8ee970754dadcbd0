import { formatWebVtt } from '../captions/caption-file';

export interface StoryboardLayout {
  /** Seconds between two frames. */
  readonly intervalSeconds: number;
  /** Pixels of one frame. */
  readonly width: number;
  readonly height: number;
  /** Frames per row of a sheet. */
  readonly columns: number;
  readonly rows: number;
}

/** Width of one frame in pixels. */
const FRAME_WIDTH = 160;
const [columns, rows] = [5, 5];
const MAX_FRAMES = 100;

/**
 * Chooses the layout of a storyboard: at most a hundred frames, at least a second apart, in the shape of the video.
 * @param duration duration of the video in seconds
 * @param aspect width of the video divided by its height
 */
export function layOutStoryboard(duration: number, aspect: number): StoryboardLayout {
  const intervalSeconds = Math.max(1, Math.ceil(duration / MAX_FRAMES));
  const height = Math.min(320, Math.max(40, Math.round(FRAME_WIDTH / aspect / 2) * 2));
  return { intervalSeconds, width: FRAME_WIDTH, height, columns, rows };
}

/** Times of the frames of a storyboard, in seconds from the beginning of the video. */
export const frameTimesOf = ({ intervalSeconds }: StoryboardLayout, duration: number): number[] =>
  Array.from(
    { length: Math.max(1, Math.ceil(duration / intervalSeconds)) },
    (_, index) => index * intervalSeconds,
  );

/**
 * Formats the WebVTT file of a storyboard. Each cue references a sheet next to the file, and the area of a frame in it.
 * @param sheets number of existing sheets; frames on missing sheets are left out
 */
export function formatStoryboardCues(layout: StoryboardLayout, duration: number, sheets: number): string {
  const framesPerSheet = layout.columns * layout.rows;
  const frameCount = Math.min(Math.ceil(duration / layout.intervalSeconds), sheets * framesPerSheet);
  const cues = Array.from({ length: frameCount }, (_, index) => {
    const cell = index % framesPerSheet;
    const [x, y] = [cell % layout.columns, Math.floor(cell / layout.columns)];
    const area = [x * layout.width, y * layout.height, layout.width, layout.height].join(',');
    const startSeconds = index * layout.intervalSeconds;
    const endSeconds = Math.min(startSeconds + layout.intervalSeconds, duration);
    const text = `storyboard-${Math.floor(index / framesPerSheet) + 1}.jpg#xywh=${area}`;
    return { startMs: startSeconds * 1_000, endMs: Math.round(endSeconds * 1_000), settings: '', text };
  });
  return formatWebVtt(cues);
}
