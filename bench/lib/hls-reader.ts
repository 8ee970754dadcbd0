import { fetchBody } from './network';

interface ListedSegment {
  /** Absolute URL. */
  readonly url: string;
  /** Duration in seconds. */
  readonly duration: number;
  /** Whether EXT-X-DISCONTINUITY precedes the segment. */
  readonly discontinuity: boolean;
}

export interface MediaPlaylist {
  readonly mediaSequence: number;
  readonly segments: readonly ListedSegment[];
}

/**
 * Reads a media playlist, or the first rendition of a master playlist.
 * @returns undefined while it cannot be fetched or lists no complete segment
 */
export async function readPlaylist(url: string): Promise<MediaPlaylist | undefined> {
  const media = await readMedia(url);
  const playlist = media && parseMedia(media.lines, media.url);
  return playlist && playlist.segments.length > 0 ? playlist : undefined;
}

/** URL of the first independent part; undefined while there is none. */
export async function readFirstPart(url: string): Promise<string | undefined> {
  const media = await readMedia(url);
  const line = media?.lines.find((each) => /^#EXT-X-PART:.*INDEPENDENT=YES/.test(each));
  const part = /URI="([^"]+)"/.exec(line ?? '')?.[1];
  return part && new URL(part, media?.url).href;
}

/** The lines of a media playlist, or of the first rendition of a master playlist. */
async function readMedia(url: string): Promise<{ lines: readonly string[]; url: string } | undefined> {
  const text = (await fetchBody(url))?.toString();
  if (!text?.startsWith('#EXTM3U')) return undefined;
  const lines = text.split(/\r?\n/);
  const master = lines.findIndex((line) => line.startsWith('#EXT-X-STREAM-INF'));
  if (master < 0) return { lines, url };
  const rendition = lines.slice(master + 1).find((line) => line !== '' && !line.startsWith('#'));
  return rendition ? readMedia(new URL(rendition, url).href) : undefined;
}

function parseMedia(lines: readonly string[], url: string): MediaPlaylist {
  let mediaSequence = 0;
  let discontinuity = false;
  let gap = false;
  let duration: number | undefined;
  const segments: ListedSegment[] = [];
  for (const line of lines) {
    if (line.startsWith('#EXT-X-MEDIA-SEQUENCE:')) mediaSequence = Number(line.split(':')[1]);
    else if (line === '#EXT-X-DISCONTINUITY') discontinuity = true;
    else if (line === '#EXT-X-GAP') gap = true;
    else if (line.startsWith('#EXTINF:')) duration = Number.parseFloat(line.slice('#EXTINF:'.length));
    else if (line !== '' && !line.startsWith('#') && duration !== undefined) {
      // A gap has no media. Headwater lists gaps only before all segments.
      if (gap) mediaSequence += 1;
      else segments.push({ url: new URL(line, url).href, duration, discontinuity });
      gap = false;
      duration = undefined;
      discontinuity = false;
    }
  }
  return { mediaSequence, segments };
}

/** Follows one playlist and collects a message for each segment that a viewer would miss. */
export class ContinuityCheck {
  readonly #url: string;
  readonly #missing: string[] = [];
  #startedAt = 0;
  #readAt = 0;
  #previous: MediaPlaylist | undefined;
  #listedSeconds = 0;

  constructor(url: string) {
    this.#url = url;
  }

  /** Call it at the start of the window, and then more often than the duration of the playlist (12 s). */
  async read(): Promise<void> {
    const playlist = await readPlaylist(this.#url);
    if (!playlist) {
      this.#missing.push('the playlist could not be read');
      return;
    }
    if (this.#previous) this.#compare(this.#previous, playlist);
    this.#readAt = performance.now();
    this.#startedAt ||= this.#readAt;
    this.#previous = playlist;
  }

  #compare(previous: MediaPlaylist, now: MediaPlaylist): void {
    const shift = now.mediaSequence - previous.mediaSequence;
    if (shift < 0 || shift > previous.segments.length)
      this.#missing.push(`the media sequence jumped from ${previous.mediaSequence} to ${now.mediaSequence}`);
    const knownSegments = previous.segments.slice(Math.max(0, shift));
    for (const [index, segment] of knownSegments.entries())
      if (now.segments[index]?.url !== segment.url)
        this.#missing.push('a listed segment changed its position');
    for (const segment of now.segments.slice(knownSegments.length)) {
      this.#listedSeconds += segment.duration;
      if (segment.discontinuity) this.#missing.push('a discontinuity');
    }
  }

  /**
   * Reads every listed segment and compares the listed duration with the elapsed time.
   * @returns all messages
   */
  async finish(segmentSeconds: number): Promise<readonly string[]> {
    await this.read();
    const elapsedSeconds = (this.#readAt - this.#startedAt) / 1000;
    // Allow one segment, because the playlist may have been updated just before or after the first read.
    const late = Math.floor((elapsedSeconds - this.#listedSeconds) / segmentSeconds - 1);
    for (let count = 0; count < late; count += 1) this.#missing.push('a segment was late');
    for (const { url } of this.#previous?.segments ?? []) {
      const body = await fetchBody(url);
      if (!body?.length) this.#missing.push('a listed segment could not be read');
    }
    return this.#missing;
  }
}
