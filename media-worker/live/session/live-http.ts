import type { RequestListener } from 'node:http';
import {
  type RenditionReport,
  formatMasterPlaylist,
  formatMediaPlaylist,
  createRenditionReport,
} from '@/lib/core/hls/playlist';
import type { Logger } from '@/lib/infra/logger';
import type { Rendition, Renditions } from '@/media-worker/media/packaging/rendition';
import type { LiveWindow } from '@/media-worker/media/packaging/window';
import type { WindowPart } from '@/media-worker/media/packaging/window-segment';
import type { Thumbnails } from '@/media-worker/live/thumbnails/thumbnails';
import { type Answer, type Headers, errorAnswer, jsonAnswer, send } from '@/media-worker/kit/http/answer';
import { pathOf } from '@/media-worker/kit/http/request-url';
import {
  type HlsPath,
  type PlaylistQuery,
  endingHeader,
  mediaSecondsHeader,
  parseHlsPath,
  parsePlaylistQuery,
} from '@/media-worker/kit/http/hls-request';
import { contentTypes } from '@/media-worker/kit/http/content-types';
import type { LiveSession } from './live-session';

/** The position in a window that a blocking request waits for. */
interface PlaylistPosition {
  readonly msn: number;
  /** The part in the segment; null for the whole segment. */
  readonly part: number | null;
}

/** `too_far`: beyond the allowed range. `late`: the request timed out. */
type WaitResult = 'available' | 'too_far' | 'late';

/** How far ahead a blocking request may ask (rfc8216bis §6.2.5.2): in segments, and in seconds of parts. */
const SEGMENTS_AHEAD = 2;
const PARTS_AHEAD_SECONDS = 3;
/** Timeout of a blocking request, in target durations (rfc8216bis §6.2.5.2). */
const TIMEOUT_TARGETS = 3;

/** Maximum time for which a request for a playlist without segments is held. An origin waits longer for a node. */
const UNLISTED_TIMEOUT_MS = 4_000;

/** Resolves when the window reaches the position, at the latest after three target durations. */
async function waitForPosition(window: LiveWindow, position: PlaylistPosition): Promise<WaitResult> {
  const { nextMsn, open, targetDuration, partTargetMs } = window.view();
  const newest = open?.msn ?? nextMsn - 1;
  if (hasPosition(window, position)) return 'available';
  const partsAhead = Math.ceil((PARTS_AHEAD_SECONDS * 1_000) / Math.min(1_000, partTargetMs));
  const openParts = open?.msn === position.msn ? open.parts.length : 0;
  if (position.msn > newest + SEGMENTS_AHEAD) return 'too_far';
  if (position.part !== null && position.part >= openParts + partsAhead) return 'too_far';
  const timeoutMs = TIMEOUT_TARGETS * targetDuration * 1_000;
  return (await waitUntil(window, () => hasPosition(window, position), timeoutMs)) ? 'available' : 'late';
}

/**
 * Waits until a condition is met, which is checked whenever the window changes.
 * @returns whether the condition was met in time
 */
function waitUntil(window: LiveWindow, isAvailable: () => boolean, timeoutMs: number): Promise<boolean> {
  if (isAvailable()) return Promise.resolve(true);
  return new Promise((resolve) => {
    const settle = (isReached: boolean) => {
      clearTimeout(timer);
      unsubscribe();
      resolve(isReached);
    };
    const check = () => {
      if (isAvailable()) settle(true);
    };
    const unsubscribe = window.observe({ onPart: check, onSegment: check, onEnd: check });
    const timer = setTimeout(() => settle(false), timeoutMs);
  });
}

/**
 * Whether a window has reached a position, or has ended. A segment that closed with fewer parts than requested
 * counts, because the next part belongs to the next segment.
 */
function hasPosition(window: LiveWindow, { msn, part }: PlaylistPosition): boolean {
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

type PlayedSession = Pick<LiveSession, 'renditions'> & Partial<Pick<LiveSession, 'isEnding'>>;
type FindSession = (playbackId: string) => PlayedSession | undefined;

/** The part of `Thumbnails` that returns the latest thumbnail of a stream. */
type ThumbnailFinder = Pick<Thumbnails, 'requestImage'>;

/** Creates the handler that serves live playlists and media to origins, without CORS and caching headers. */
export function createLiveHandler(
  findSession: FindSession,
  thumbnails: ThumbnailFinder,
  log: Logger,
): RequestListener {
  return (request, response) => {
    answerRequest(request.url, findSession, thumbnails)
      .then((result) => send(response, result))
      .catch((error: unknown) => {
        log.error({ err: error, path: pathOf(request.url) }, 'request failed');
        response.destroy();
      });
  };
}

async function answerRequest(
  requestTarget: string | undefined,
  findSession: FindSession,
  thumbnails: ThumbnailFinder,
): Promise<Answer> {
  const path = pathOf(requestTarget);
  if (path === '/healthz') return jsonAnswer(200, { ok: true });
  const [, playbackId] = /^\/([a-z0-9]{16})$/.exec(path) ?? [];
  if (playbackId !== undefined) return findSession(playbackId) ? { status: 204 } : notFoundAnswer();
  const hls = parseHlsPath(path);
  const session = hls && findSession(hls.playbackId);
  if (!hls || !session) return notFoundAnswer();
  if (hls.kind === 'playlist') return answerPlaylist(hls, session, parsePlaylistQuery(requestTarget));
  const { renditions } = session;
  if (hls.kind === 'media') return answerMedia(hls, renditions);
  const body = hls.kind === 'thumbnail' ? await thumbnails.requestImage(renditions) : initOf(renditions, hls);
  return body ? fileAnswer(hls, [body]) : notFoundAnswer();
}

async function answerPlaylist(
  hls: HlsPath,
  session: PlayedSession,
  query: PlaylistQuery | null,
): Promise<Answer> {
  const { renditions } = session;
  const playlist = (text: string) =>
    fileAnswer(hls, [Buffer.from(text)], session.isEnding ? { [endingHeader]: '1' } : {});
  if (!query)
    return errorAnswer(400, '_HLS_msn and _HLS_part: must be whole numbers, and _HLS_part needs _HLS_msn');
  if (hls.rendition === null) {
    // A window that has ended in a session that continues will start again, because video arrived after the audio. A
    // player would stop at the end tag.
    const willRestart = renditions.source.window.view().ended && !session.isEnding;
    const body = willRestart ? null : masterPlaylistOf(renditions, query);
    return body ? playlist(body) : notFoundAnswer();
  }
  const rendition = renditions.findByFolder(hls.rendition);
  if (!rendition) return notFoundAnswer();
  const { window } = rendition;
  if (query.msn !== null) {
    const waitResult = await waitForPosition(window, { msn: query.msn, part: query.part });
    if (waitResult === 'too_far') return errorAnswer(400, '_HLS_msn and _HLS_part: too far ahead');
    if (waitResult === 'late') return noNewMedia();
  }
  const { lowLatency, early } = query;
  const isListed = () => (early ? window.isStartable : window.isPlayable);
  if (!(await waitUntil(window, isListed, UNLISTED_TIMEOUT_MS))) return noNewMedia();
  const reports = lowLatency ? reportsOfSiblings(rendition, renditions) : [];
  return playlist(formatMediaPlaylist(window.view(), { lowLatency, reports }));
}

const noNewMedia = (): Answer => errorAnswer(503, 'No new media arrived in time.', { 'Retry-After': 1 });

function reportsOfSiblings(rendition: Rendition, renditions: Renditions): RenditionReport[] {
  return renditions.all.flatMap((sibling) => {
    if (sibling === rendition || !sibling.window.isStartable) return [];
    return createRenditionReport(`../${sibling.folder}/index.m3u8`, sibling.window.view()) ?? [];
  });
}

/**
 * The master playlist. Renditions are listed as soon as they can be played. Players read it once, so before the source
 * has a whole segment, low-latency players get it only when all renditions that are being made have a segment.
 */
function masterPlaylistOf(renditions: Renditions, { lowLatency, early }: PlaylistQuery): string | null {
  const { source, all } = renditions;
  if (!source.window.isPlayable && !early) return null;
  const listedRenditions = all.filter(({ window }) => (lowLatency ? window.isStartable : window.isPlayable));
  if (
    !source.window.isPlayable &&
    (!listedRenditions.includes(source) || listedRenditions.length < all.length)
  )
    return null;
  // The media playlists must be requested in the mode of the master playlist.
  const query = !lowLatency ? '?ll=0' : source.window.isPlayable ? '' : '?ll=1';
  return formatMasterPlaylist(
    listedRenditions.flatMap(({ folder, window }) => {
      const measurement = window.measure();
      // Each media playlist states the attribute for the segments it lists, because a promise for future segments could not be
      // kept.
      return measurement ? [{ ...measurement, independent: false, uri: `${folder}/index.m3u8${query}` }] : [];
    }),
  );
}

function initOf(renditions: Renditions, { rendition, file }: HlsPath): Buffer | undefined {
  return rendition === null ? undefined : renditions.findByFolder(rendition)?.window.findInit(file);
}

async function answerMedia(hls: HlsPath, renditions: Renditions): Promise<Answer> {
  const window = hls.rendition === null ? undefined : renditions.findByFolder(hls.rendition)?.window;
  const media = window && (await findMedia(window, hls.file));
  if (!media) return notFoundAnswer();
  return fileAnswer(hls, media.data, { [mediaSecondsHeader]: media.durationMs / 1_000 });
}

/** Finds a segment or a part; undefined if it does not exist. Waits for the part that the playlist hints at. */
async function findMedia(
  window: LiveWindow,
  file: string,
): Promise<Pick<WindowPart, 'data' | 'durationMs'> | undefined> {
  // `<msn>.m4s` is a segment, `<msn>.<part>.m4s` a part.
  const [msn, part] = file.split('.', 2).map(Number) as [number, number];
  if (Number.isNaN(part)) {
    const segment = window.findSegment(msn);
    return segment && { data: segment.parts.flatMap(({ data }) => data), durationMs: segment.durationMs };
  }
  if (isHinted(window, msn, part)) await waitForPosition(window, { msn, part });
  return window.findPart(msn, part);
}

function fileAnswer({ kind }: HlsPath, body: readonly Buffer[], headers: Headers = {}): Answer {
  return { status: 200, headers: { 'Content-Type': contentTypes[kind], ...headers }, body };
}

function notFoundAnswer(): Answer {
  return errorAnswer(404, 'No live stream at this URL.');
}
