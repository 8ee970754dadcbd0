import { fetchBody } from './network';

/** A segment that a media playlist lists. */
interface ListedSegment {
  /** Absolute URL. */
  readonly url: string;
  /** Duration in seconds. */
  readonly duration: number;
  /** Whether EXT-X-DISCONTINUITY precedes the segment. */
  readonly followsDiscontinuity: boolean;
}

/** A parsed media playlist. */
export interface MediaPlaylist {
  readonly mediaSequence: number;
  readonly segments: readonly ListedSegment[];
}

/**
 * Reads a media playlist, or the first media playlist of a master playlist.
 * @returns undefined if the playlist cannot be fetched or lists no complete segment
 */
export async function readPlaylist(url: string): Promise<MediaPlaylist | undefined> {
  const mediaPlaylist = await readMediaLines(url);
  const playlist = mediaPlaylist && parseMediaPlaylist(mediaPlaylist.lines, mediaPlaylist.url);
  return playlist && playlist.segments.length > 0 ? playlist : undefined;
}

/** Reads the URL of the first independent part of a playlist. It is undefined while the playlist lists no such part. */
export async function readFirstPart(url: string): Promise<string | undefined> {
  const mediaPlaylist = await readMediaLines(url);
  const line = mediaPlaylist?.lines.find((textLine) => /^#EXT-X-PART:.*INDEPENDENT=YES/.test(textLine));
  const part = /URI="([^"]+)"/.exec(line ?? '')?.[1];
  return part && new URL(part, mediaPlaylist?.url).href;
}

/** Reads the lines of a media playlist, or of the first media playlist of a master playlist. */
async function readMediaLines(url: string): Promise<{ lines: readonly string[]; url: string } | undefined> {
  const text = (await fetchBody(url))?.toString();
  if (!text?.startsWith('#EXTM3U')) return undefined;
  const lines = text.split(/\r?\n/);
  const firstStreamTag = lines.findIndex((line) => line.startsWith('#EXT-X-STREAM-INF'));
  if (firstStreamTag < 0) return { lines, url };
  const rendition = lines.slice(firstStreamTag + 1).find((line) => line !== '' && !line.startsWith('#'));
  return rendition ? readMediaLines(new URL(rendition, url).href) : undefined;
}

function parseMediaPlaylist(lines: readonly string[], url: string): MediaPlaylist {
  let mediaSequence = 0;
  let followsDiscontinuity = false;
  let isGap = false;
  let duration: number | undefined;
  const segments: ListedSegment[] = [];
  for (const line of lines) {
    if (line.startsWith('#EXT-X-MEDIA-SEQUENCE:')) mediaSequence = Number(line.split(':')[1]);
    else if (line === '#EXT-X-DISCONTINUITY') followsDiscontinuity = true;
    else if (line === '#EXT-X-GAP') isGap = true;
    else if (line.startsWith('#EXTINF:')) duration = Number.parseFloat(line.slice('#EXTINF:'.length));
    else if (line !== '' && !line.startsWith('#') && duration !== undefined) {
      // A gap has no media and is skipped. Headwater lists gaps only before the first segment.
      if (isGap) mediaSequence += 1;
      else segments.push({ url: new URL(line, url).href, duration, followsDiscontinuity });
      isGap = false;
      duration = undefined;
      followsDiscontinuity = false;
    }
  }
  return { mediaSequence, segments };
}

/** Reads a playlist repeatedly, and collects a message for each missing, late or changed segment and each discontinuity. */
export class ContinuityCheck {
  readonly #url: string;
  readonly #messages: string[] = [];
  #firstReadMs = 0;
  #lastReadMs = 0;
  #previous: MediaPlaylist | undefined;
  #listedSeconds = 0;

  constructor(url: string) {
    this.#url = url;
  }

  /**
   * Reads the playlist and compares it with the previous version. Call this method at the start of the window, and then more
   * often than the duration of the playlist (12 s).
   */
  async read(): Promise<void> {
    const playlist = await readPlaylist(this.#url);
    if (!playlist) {
      this.#messages.push('the playlist could not be read');
      return;
    }
    if (this.#previous) this.#compare(this.#previous, playlist);
    this.#lastReadMs = performance.now();
    this.#firstReadMs ||= this.#lastReadMs;
    this.#previous = playlist;
  }

  #compare(previous: MediaPlaylist, current: MediaPlaylist): void {
    const shift = current.mediaSequence - previous.mediaSequence;
    if (shift < 0 || shift > previous.segments.length)
      this.#messages.push(
        `the media sequence jumped from ${previous.mediaSequence} to ${current.mediaSequence}`,
      );
    const knownSegments = previous.segments.slice(Math.max(0, shift));
    for (const [index, segment] of knownSegments.entries())
      if (current.segments[index]?.url !== segment.url)
        this.#messages.push('a listed segment changed its position');
    for (const segment of current.segments.slice(knownSegments.length)) {
      this.#listedSeconds += segment.duration;
      if (segment.followsDiscontinuity) this.#messages.push('a discontinuity');
    }
  }

  /**
   * Reads every segment of the last playlist, and compares the duration of all listed segments with the elapsed time.
   * @returns all messages
   */
  async finish(segmentSeconds: number): Promise<readonly string[]> {
    await this.read();
    const elapsedSeconds = (this.#lastReadMs - this.#firstReadMs) / 1000;
    // One segment is allowed, because the playlist may have been updated just before or after the first read.
    const lateCount = Math.floor((elapsedSeconds - this.#listedSeconds) / segmentSeconds - 1);
    for (let count = 0; count < lateCount; count += 1) this.#messages.push('a segment was late');
    for (const { url } of this.#previous?.segments ?? []) {
      const body = await fetchBody(url);
      if (!body?.length) this.#messages.push('a listed segment could not be read');
    }
    return this.#messages;
  }
}
