/** One small picture of the timeline: a part of a sheet. */
export interface Thumbnail {
  /** Seconds; from `begin` up to, but not including, `end`. */
  readonly begin: number;
  readonly end: number;
  readonly url: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const cue = /^(\S+) --> (\S+).*\n(\S+)#xywh=(\d+),(\d+),(\d+),(\d+)$/gm;

/**
 * Reads a storyboard (WebVTT); what makes no sense in it is left out. @param url of the file: sheets are named beside
 * it
 */
export function parseStoryboard(text: string, url: string): Thumbnail[] {
  return [...text.replaceAll('\r\n', '\n').matchAll(cue)].flatMap(([, from, to, sheet, ...part]) => {
    const [begin, end] = [secondsOf(from ?? ''), secondsOf(to ?? '')];
    const [x = 0, y = 0, width = 0, height = 0] = part.map(Number);
    if (!(end > begin) || width === 0 || height === 0) return [];
    return [{ begin, end, url: new URL(sheet ?? '', url).href, x, y, width, height }];
  });
}

/** "01:02:03.500", hours may be left out. */
function secondsOf(clock: string): number {
  return clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
}

/** The image for a time; the last one covers everything after it. */
export function thumbnailAt(thumbnails: readonly Thumbnail[], seconds: number): Thumbnail | null {
  return thumbnails.find(({ end }) => seconds < end) ?? thumbnails.at(-1) ?? null;
}
