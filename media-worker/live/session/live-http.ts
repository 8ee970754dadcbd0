import type { RequestListener } from 'node:http';
import { type RenditionReport, masterPlaylist, mediaPlaylist, reportOf } from '@/lib/core/hls/playlist';
import type { Logger } from '@/lib/infra/logger';
import type { Rendition, Renditions } from '@/media-worker/media/packaging/rendition';
import type { LiveWindow } from '@/media-worker/media/packaging/window';
import type { WindowPart } from '@/media-worker/media/packaging/window-segment';
import type { Thumbnails } from '@/media-worker/live/thumbnails/thumbnails';
import {
  type Answer,
  type Headers,
  errorAnswer,
  jsonAnswer,
  pathOf,
  send,
} from '@/media-worker/kit/http/answer';
import {
  type HlsPath,
  type PlaylistQuery,
  contentTypes,
  endingHeader,
  mediaSecondsHeader,
  parseHlsPath,
  parsePlaylistQuery,
} from '@/media-worker/kit/http/hls-request';
import type { LiveSession } from './live-session';

/** The position in a window that a blocking request waits for. */
interface PlaylistPosition {
  readonly msn: number;
  /** The part in the segment; null: the whole segment. */
  readonly part: number | null;
}

/** `too_far`: beyond the allowed range. `late`: the request timed out. */
type WaitResult = 'there' | 'too_far' | 'late';

/** How far ahead a blocking request may ask (rfc8216bis §6.2.5.2): in segments, and in seconds of parts. */
const segmentsAhead = 2;
const partsAheadSeconds = 3;
/** Timeout of a blocking request, in target durations (rfc8216bis §6.2.5.2). */
const timeoutTargets = 3;

/** How long a playlist without segments is held: shorter than an origin waits for a node. */
const unlistedTimeoutMs = 4_000;

/** Resolves when the window reaches the position, at the latest after three target durations. */
async function waitFor(window: LiveWindow, position: PlaylistPosition): Promise<WaitResult> {
  const { nextMsn, open, targetDuration, partTargetMs } = window.view();
  const newest = open?.msn ?? nextMsn - 1;
  if (has(window, position)) return 'there';
  const partsAhead = Math.ceil((partsAheadSeconds * 1_000) / Math.min(1_000, partTargetMs));
  const partsThere = open?.msn === position.msn ? open.parts.length : 0;
  if (position.msn > newest + segmentsAhead) return 'too_far';
  if (position.part !== null && position.part >= partsThere + partsAhead) return 'too_far';
  const timeoutMs = timeoutTargets * targetDuration * 1_000;
  return (await until(window, () => has(window, position), timeoutMs)) ? 'there' : 'late';
}

/** Checks whenever the window changes. @returns whether the condition was met in time */
function until(window: LiveWindow, isThere: () => boolean, timeoutMs: number): Promise<boolean> {
  if (isThere()) return Promise.resolve(true);
  return new Promise((resolve) => {
    const end = (isReached: boolean) => {
      clearTimeout(timer);
      stop();
      resolve(isReached);
    };
    const look = () => {
      if (isThere()) end(true);
    };
    const stop = window.observe({ onPart: look, onSegment: look, onEnd: look });
    const timer = setTimeout(() => end(false), timeoutMs);
  });
}

/**
 * Whether a window has a position. A segment that closed with fewer parts than requested counts, because the next part
 * belongs to the next segment.
 */
function has(window: LiveWindow, { msn, part }: PlaylistPosition): boolean {
  const { open, nextMsn, ended } = window.view();
  if (ended) return true;
  const firstUnfinished = open?.msn ?? nextMsn;
  if (firstUnfinished > msn) return true;
  return part !== null && open?.msn === msn && open.parts.length > part;
}

/** Whether the playlist hints at this part: a request for it blocks (rfc8216bis §6.2.6). */
function isHinted(window: LiveWindow, msn: number, part: number): boolean {
  const { open, nextMsn, ended } = window.view();
  if (ended) return false;
  return open ? open.msn === msn && open.parts.length === part : nextMsn === msn && part === 0;
}

type PlayedSession = Pick<LiveSession, 'renditions'> & Partial<Pick<LiveSession, 'ending'>>;
type FindSession = (playbackId: string) => PlayedSession | undefined;

/** Returns the latest thumbnail of a stream; null if there is none. */
type FindThumbnail = Pick<Thumbnails, 'of'>;

/** Serves live playlists and media to origins only: no CORS, no caching. */
export function liveHandler(find: FindSession, thumbnails: FindThumbnail, log: Logger): RequestListener {
  return (request, response) => {
    answer(request.url, find, thumbnails)
      .then((ready) => send(response, ready))
      .catch((error: unknown) => {
        log.error({ err: error, path: pathOf(request.url) }, 'request failed');
        response.destroy();
      });
  };
}

async function answer(
  target: string | undefined,
  find: FindSession,
  thumbnails: FindThumbnail,
): Promise<Answer> {
  const path = pathOf(target);
  if (path === '/healthz') return jsonAnswer(200, { ok: true });
  const [, playbackId] = /^\/([a-z0-9]{16})$/.exec(path) ?? [];
  if (playbackId !== undefined) return find(playbackId) ? { status: 204 } : notFoundAnswer();
  const hls = parseHlsPath(path);
  const session = hls && find(hls.playbackId);
  if (!hls || !session) return notFoundAnswer();
  if (hls.kind === 'playlist') return playlistAnswer(hls, session, parsePlaylistQuery(target));
  const { renditions } = session;
  if (hls.kind === 'media') return mediaAnswer(hls, renditions);
  const body = hls.kind === 'thumbnail' ? await thumbnails.of(renditions) : initOf(renditions, hls);
  return body ? bytes(hls, [body]) : notFoundAnswer();
}

async function playlistAnswer(
  hls: HlsPath,
  session: PlayedSession,
  query: PlaylistQuery | null,
): Promise<Answer> {
  const { renditions } = session;
  const playlist = (text: string) =>
    bytes(hls, [Buffer.from(text)], session.ending ? { [endingHeader]: '1' } : {});
  if (!query)
    return errorAnswer(400, '_HLS_msn and _HLS_part: must be whole numbers, and _HLS_part needs _HLS_msn');
  if (hls.rendition === null) {
    // The window ended and will start again, because video arrived after the audio. A player would stop at an end tag.
    const restarts = renditions.source.window.view().ended && !session.ending;
    const body = restarts ? null : masterOf(renditions, query);
    return body ? playlist(body) : notFoundAnswer();
  }
  const rendition = renditions.inFolder(hls.rendition);
  if (!rendition) return notFoundAnswer();
  const { window } = rendition;
  if (query.msn !== null) {
    const waitResult = await waitFor(window, { msn: query.msn, part: query.part });
    if (waitResult === 'too_far') return errorAnswer(400, '_HLS_msn and _HLS_part: too far ahead');
    if (waitResult === 'late') return noNewMedia();
  }
  const { lowLatency, early } = query;
  const isListed = () => (early ? window.startable : window.playable);
  if (!(await until(window, isListed, unlistedTimeoutMs))) return noNewMedia();
  const reports = lowLatency ? reportsOfOthers(rendition, renditions) : [];
  return playlist(mediaPlaylist(window.view(), { lowLatency, reports }));
}

const noNewMedia = (): Answer => errorAnswer(503, 'No new media arrived in time.', { 'Retry-After': 1 });

function reportsOfOthers(rendition: Rendition, renditions: Renditions): RenditionReport[] {
  return renditions.all.flatMap((sibling) => {
    if (sibling === rendition || !sibling.window.startable) return [];
    return reportOf(`../${sibling.folder}/index.m3u8`, sibling.window.view()) ?? [];
  });
}

/**
 * The master playlist. Renditions are listed as soon as they can be played. Players read it once, so before the source
 * has a whole segment, low-latency players get it only when all renditions that are being made have a segment.
 */
function masterOf(renditions: Renditions, { lowLatency, early }: PlaylistQuery): string | null {
  const { source, all } = renditions;
  if (!source.window.playable && !early) return null;
  const listedRenditions = all.filter(({ window }) => (lowLatency ? window.startable : window.playable));
  if (!source.window.playable && (!listedRenditions.includes(source) || listedRenditions.length < all.length))
    return null;
  const variant = !lowLatency ? '?ll=0' : source.window.playable ? '' : '?ll=1';
  return masterPlaylist(
    listedRenditions.flatMap(({ folder, window }) => {
      const facts = window.facts();
      // Each media playlist states the attribute for the segments it lists, because a promise for future segments could not be
      // kept.
      return facts ? [{ ...facts, independent: false, uri: `${folder}/index.m3u8${variant}` }] : [];
    }),
  );
}

function initOf(renditions: Renditions, { rendition, file }: HlsPath): Buffer | undefined {
  return rendition === null ? undefined : renditions.inFolder(rendition)?.window.init(file);
}

async function mediaAnswer(hls: HlsPath, renditions: Renditions): Promise<Answer> {
  const window = hls.rendition === null ? undefined : renditions.inFolder(hls.rendition)?.window;
  const media = window && (await mediaOf(window, hls.file));
  if (!media) return notFoundAnswer();
  return bytes(hls, media.data, { [mediaSecondsHeader]: media.durationMs / 1_000 });
}

/** A segment or a part; undefined if it does not exist. Waits for the next part. */
async function mediaOf(
  window: LiveWindow,
  file: string,
): Promise<Pick<WindowPart, 'data' | 'durationMs'> | undefined> {
  const [msn, part] = file.split('.', 2).map(Number) as [number, number];
  if (Number.isNaN(part)) {
    const segment = window.segment(msn);
    return segment && { data: segment.parts.flatMap(({ data }) => data), durationMs: segment.durationMs };
  }
  if (isHinted(window, msn, part)) await waitFor(window, { msn, part });
  return window.part(msn, part);
}

function bytes({ kind }: HlsPath, body: readonly Buffer[], headers: Headers = {}): Answer {
  return { status: 200, headers: { 'Content-Type': contentTypes[kind], ...headers }, body };
}

function notFoundAnswer(): Answer {
  return errorAnswer(404, 'No live stream at this URL.');
}
