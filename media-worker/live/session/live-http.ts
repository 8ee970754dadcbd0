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

/** The place in a window that a request waits for. */
interface Awaited {
  readonly msn: number;
  /** Null: the whole segment. */
  readonly part: number | null;
}

/** `too_far`: further ahead than allowed. `late`: it did not arrive in time. */
type Waited = 'there' | 'too_far' | 'late';

/** Further ahead than this a request is a mistake (rfc8216bis §6.2.5.2): segments, and seconds in parts. */
const segmentsAhead = 2;
const partsAheadSeconds = 3;
/** How long a request is held, in target durations (rfc8216bis §6.2.5.2). */
const timeoutTargets = 3;

/** How long a playlist is held that lists nothing yet: less than an origin waits for a node. */
const unlistedTimeoutMs = 4_000;

/** Resolves when the window has what is awaited, and at the latest after three target durations. */
async function waitFor(window: LiveWindow, awaited: Awaited): Promise<Waited> {
  const { nextMsn, open, targetDuration, partTargetMs } = window.view();
  const newest = open?.msn ?? nextMsn - 1;
  if (has(window, awaited)) return 'there';
  const partsAhead = Math.ceil((partsAheadSeconds * 1_000) / Math.min(1_000, partTargetMs));
  const partsThere = open?.msn === awaited.msn ? open.parts.length : 0;
  if (awaited.msn > newest + segmentsAhead) return 'too_far';
  if (awaited.part !== null && awaited.part >= partsThere + partsAhead) return 'too_far';
  const timeoutMs = timeoutTargets * targetDuration * 1_000;
  return (await until(window, () => has(window, awaited), timeoutMs)) ? 'there' : 'late';
}

/** Looks whenever the window changes. @returns whether it happened in time */
function until(window: LiveWindow, isThere: () => boolean, timeoutMs: number): Promise<boolean> {
  if (isThere()) return Promise.resolve(true);
  return new Promise((resolve) => {
    const end = (happened: boolean) => {
      clearTimeout(timer);
      stop();
      resolve(happened);
    };
    const look = () => {
      if (isThere()) end(true);
    };
    const stop = window.observe({ onPart: look, onSegment: look, onEnd: look });
    const timer = setTimeout(() => end(false), timeoutMs);
  });
}

/** A segment that is closed with fewer parts than awaited counts: the next part belongs to the next segment. */
function has(window: LiveWindow, { msn, part }: Awaited): boolean {
  const { open, nextMsn, ended } = window.view();
  if (ended) return true;
  const firstUnfinished = open?.msn ?? nextMsn;
  if (firstUnfinished > msn) return true;
  return part !== null && open?.msn === msn && open.parts.length > part;
}

/** Whether this part is the one that the playlist hints at: a request for it waits (rfc8216bis §6.2.6). */
function isHinted(window: LiveWindow, msn: number, part: number): boolean {
  const { open, nextMsn, ended } = window.view();
  if (ended) return false;
  return open ? open.msn === msn && open.parts.length === part : nextMsn === msn && part === 0;
}

type PlayedSession = Pick<LiveSession, 'renditions'> & Partial<Pick<LiveSession, 'ending'>>;
type FindSession = (playbackId: string) => PlayedSession | undefined;

/** The latest picture of a stream; null when there is none. */
type FindThumbnail = Pick<Thumbnails, 'of'>;

/** Answers with what this node plays, for origins only: no CORS, no caching. */
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
  const [, held] = /^\/([a-z0-9]{16})$/.exec(path) ?? [];
  if (held !== undefined) return find(held) ? { status: 204 } : nothing();
  const hls = parseHlsPath(path);
  const session = hls && find(hls.playbackId);
  if (!hls || !session) return nothing();
  if (hls.kind === 'playlist') return playlistAnswer(hls, session, parsePlaylistQuery(target));
  const { renditions } = session;
  if (hls.kind === 'media') return mediaAnswer(hls, renditions);
  const body = hls.kind === 'thumbnail' ? await thumbnails.of(renditions) : initOf(renditions, hls);
  return body ? bytes(hls, [body]) : nothing();
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
    return errorAnswer(400, '_HLS_msn and _HLS_part: whole numbers, the second not without the first');
  if (hls.rendition === null) {
    // One that has ended and begins again soon (a picture came after the sound): a player would never read it again.
    const startsAnew = renditions.source.window.view().ended && !session.ending;
    const body = startsAnew ? null : masterOf(renditions, query);
    return body ? playlist(body) : nothing();
  }
  const rendition = renditions.inFolder(hls.rendition);
  if (!rendition) return nothing();
  const { window } = rendition;
  if (query.msn !== null) {
    const waited = await waitFor(window, { msn: query.msn, part: query.part });
    if (waited === 'too_far') return errorAnswer(400, '_HLS_msn and _HLS_part: too far ahead');
    if (waited === 'late') return nothingNew();
  }
  const { lowLatency, early } = query;
  const isListed = () => (early ? window.startable : window.playable);
  if (!(await until(window, isListed, unlistedTimeoutMs))) return nothingNew();
  const reports = lowLatency ? reportsBeside(rendition, renditions) : [];
  return playlist(mediaPlaylist(window.view(), { lowLatency, reports }));
}

const nothingNew = (): Answer => errorAnswer(503, 'No new media arrived in time.', { 'Retry-After': 1 });

function reportsBeside(rendition: Rendition, renditions: Renditions): RenditionReport[] {
  return renditions.all.flatMap((other) => {
    if (other === rendition || !other.window.startable) return [];
    return reportOf(`../${other.folder}/index.m3u8`, other.window.view()) ?? [];
  });
}

/**
 * Renditions join as soon as they can be played. Players read this once: before the source has a whole segment it is
 * given to those who ask for parts when all renditions that are being made have one.
 */
function masterOf(renditions: Renditions, { lowLatency, early }: PlaylistQuery): string | null {
  const { source, all } = renditions;
  if (!source.window.playable && !early) return null;
  const offered = all.filter(({ window }) => (lowLatency ? window.startable : window.playable));
  if (!source.window.playable && (!offered.includes(source) || offered.length < all.length)) return null;
  const variant = !lowLatency ? '?ll=0' : source.window.playable ? '' : '?ll=1';
  return masterPlaylist(
    offered.flatMap(({ folder, window }) => {
      const facts = window.facts();
      // Said by each media playlist of what it lists: a promise for what comes could not be kept.
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
  if (!media) return nothing();
  return bytes(hls, media.data, { [mediaSecondsHeader]: media.durationMs / 1_000 });
}

/** A segment or a part; undefined if it does not exist (anymore). Waits for the next part. */
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

function nothing(): Answer {
  return errorAnswer(404, 'No live stream at this URL.');
}
