import { fetchBody } from './network';

interface ListedSegment {
  /** Absolute. */
  readonly url: string;
  /** In seconds. */
  readonly duration: number;
  /** The list says that media is missing or changes before this segment. */
  readonly discontinuity: boolean;
}

export interface MediaPlaylist {
  readonly mediaSequence: number;
  readonly segments: readonly ListedSegment[];
}

/**
 * Reads `url` as a player would: a master playlist is followed to its first rendition.
 * Undefined while it cannot be fetched or lists no whole segment.
 */
export async function readPlaylist(url: string): Promise<MediaPlaylist | undefined> {
  const found = await readMedia(url);
  const playlist = found && parseMedia(found.lines, found.url);
  return playlist && playlist.segments.length > 0 ? playlist : undefined;
}

/** Address of the first part that a player can begin with; undefined while there is none. */
export async function readFirstPart(url: string): Promise<string | undefined> {
  const found = await readMedia(url);
  const line = found?.lines.find((each) => /^#EXT-X-PART:.*INDEPENDENT=YES/.test(each));
  const part = /URI="([^"]+)"/.exec(line ?? '')?.[1];
  return part && new URL(part, found?.url).href;
}

/** The lines of a media playlist, or of the first that a master playlist names. */
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
      // A gap has no media; ours stand in front of everything else.
      if (gap) mediaSequence += 1;
      else segments.push({ url: new URL(line, url).href, duration, discontinuity });
      gap = false;
      duration = undefined;
      discontinuity = false;
    }
  }
  return { mediaSequence, segments };
}

/** Follows one playlist and notes what a viewer would miss, one sentence for each missing segment. */
export class ContinuityCheck {
  readonly #url: string;
  readonly #missing: string[] = [];
  #startedAt = 0;
  #lookedAt = 0;
  #previous: MediaPlaylist | undefined;
  #listedSeconds = 0;

  constructor(url: string) {
    this.#url = url;
  }

  /** Call when the window starts, then more often than the playlist is long (12 s). */
  async look(): Promise<void> {
    const playlist = await readPlaylist(this.#url);
    if (!playlist) {
      this.#missing.push('the playlist could not be read');
      return;
    }
    if (this.#previous) this.#compare(this.#previous, playlist);
    this.#lookedAt = performance.now();
    this.#startedAt ||= this.#lookedAt;
    this.#previous = playlist;
  }

  #compare(before: MediaPlaylist, now: MediaPlaylist): void {
    const shift = now.mediaSequence - before.mediaSequence;
    if (shift < 0 || shift > before.segments.length)
      this.#missing.push(`the list jumped from ${before.mediaSequence} to ${now.mediaSequence}`);
    const known = before.segments.slice(Math.max(0, shift));
    for (const [index, segment] of known.entries())
      if (now.segments[index]?.url !== segment.url) this.#missing.push('a listed segment changed its place');
    for (const segment of now.segments.slice(known.length)) {
      this.#listedSeconds += segment.duration;
      if (segment.discontinuity) this.#missing.push('a discontinuity');
    }
  }

  /** Reads every listed segment; also says when less media was listed than time has passed. */
  async finish(segmentSeconds: number): Promise<readonly string[]> {
    await this.look();
    const elapsed = (this.#lookedAt - this.#startedAt) / 1000;
    // The list moves by whole segments, and the first look may come just before or just after a move.
    const late = Math.floor((elapsed - this.#listedSeconds) / segmentSeconds - 1);
    for (let count = 0; count < late; count += 1) this.#missing.push('media that never came');
    for (const { url } of this.#previous?.segments ?? []) {
      const body = await fetchBody(url);
      if (!body?.length) this.#missing.push('a listed segment could not be read');
    }
    return this.#missing;
  }
}
