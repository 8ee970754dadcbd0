export interface StoryboardLayout {
  /** Seconds between two pictures. */
  readonly interval: number;
  /** Pixels of one picture. */
  readonly width: number;
  readonly height: number;
  /** Pictures on one sheet. */
  readonly columns: number;
  readonly rows: number;
}

const width = 160;
const [columns, rows] = [5, 5];
const mostPictures = 100;

/** How the timeline of a video is shown in small pictures: at most a hundred, at least a second apart. */
export function storyboardLayout(duration: number, aspect: number): StoryboardLayout {
  const interval = Math.max(1, Math.ceil(duration / mostPictures));
  const height = Math.min(320, Math.max(40, Math.round(width / aspect / 2) * 2));
  return { interval, width, height, columns, rows };
}

/** WebVTT that players understand: each cue names a sheet and the part of it, beside the file itself. */
export function storyboardCues(layout: StoryboardLayout, duration: number, sheets: number): string {
  const perSheet = layout.columns * layout.rows;
  const pictures = Math.min(Math.ceil(duration / layout.interval), sheets * perSheet);
  const cues = Array.from({ length: pictures }, (_, index) => {
    const place = index % perSheet;
    const [x, y] = [place % layout.columns, Math.floor(place / layout.columns)];
    const part = [x * layout.width, y * layout.height, layout.width, layout.height].join(',');
    const begin = index * layout.interval;
    const end = Math.min(begin + layout.interval, duration);
    return `${clock(begin)} --> ${clock(end)}\nstoryboard-${Math.floor(index / perSheet) + 1}.jpg#xywh=${part}`;
  });
  return `WEBVTT\n\n${cues.join('\n\n')}\n`;
}

function clock(seconds: number): string {
  const milliseconds = Math.round(seconds * 1_000);
  const part = (value: number, digits: number) => String(Math.floor(value)).padStart(digits, '0');
  return [
    `${part(milliseconds / 3_600_000, 2)}:${part((milliseconds / 60_000) % 60, 2)}`,
    `:${part((milliseconds / 1_000) % 60, 2)}.${part(milliseconds % 1_000, 3)}`,
  ].join('');
}
