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
 * @param durationSeconds duration of the video
 * @param aspectRatio width of the video divided by its height
 */
export function layOutStoryboard(durationSeconds: number, aspectRatio: number): StoryboardLayout {
  const intervalSeconds = Math.max(1, Math.ceil(durationSeconds / MAX_FRAMES));
  // An even number of lines, within limits for very wide and very tall videos.
  const height = Math.min(320, Math.max(40, Math.round(FRAME_WIDTH / aspectRatio / 2) * 2));
  return { intervalSeconds, width: FRAME_WIDTH, height, columns, rows };
}

/** Times of the frames of a storyboard, in seconds from the beginning of the video. */
export const frameTimesOf = ({ intervalSeconds }: StoryboardLayout, durationSeconds: number): number[] =>
  Array.from(
    { length: Math.max(1, Math.ceil(durationSeconds / intervalSeconds)) },
    (_, index) => index * intervalSeconds,
  );

/**
 * Formats the WebVTT file of a storyboard. Each cue references a sheet next to the file, and the area of a frame in it.
 * @param sheetCount number of existing sheets; frames on missing sheets are left out
 */
export function formatStoryboardCues(
  layout: StoryboardLayout,
  durationSeconds: number,
  sheetCount: number,
): string {
  const framesPerSheet = layout.columns * layout.rows;
  const frameCount = Math.min(
    Math.ceil(durationSeconds / layout.intervalSeconds),
    sheetCount * framesPerSheet,
  );
  const cues = Array.from({ length: frameCount }, (_, index) => {
    const cell = index % framesPerSheet;
    const [x, y] = [cell % layout.columns, Math.floor(cell / layout.columns)];
    const area = [x * layout.width, y * layout.height, layout.width, layout.height].join(',');
    const startSeconds = index * layout.intervalSeconds;
    const endSeconds = Math.min(startSeconds + layout.intervalSeconds, durationSeconds);
    const text = `storyboard-${Math.floor(index / framesPerSheet) + 1}.jpg#xywh=${area}`;
    return { startMs: startSeconds * 1_000, endMs: Math.round(endSeconds * 1_000), settings: '', text };
  });
  return formatWebVtt(cues);
}
