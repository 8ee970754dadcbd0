import type { RequestListener } from 'node:http';
import { mediaPlaylist, reportOf, type RenditionReport } from '@/lib/core/playlist';
import { masterPlaylist } from '@/lib/core/playlist-master';
import type { Logger } from '@/lib/infra/logger';
import { contentTypes, mediaSecondsHeader, parseHlsPath, type HlsPath } from '../hls-path';
import { errorAnswer, jsonAnswer, pathOf, send, type Answer, type Headers } from '../http/answer';
import { listen, type HttpServer } from '../http/listen';
import { parsePlaylistQuery, type PlaylistQuery } from '../playlist-query';
import { isHinted, waitFor } from './blocking-reload';
import type { LiveSession } from './live-session';
import type { Rendition, Renditions } from './rendition';
import type { Thumbnails } from './thumbnails';
import type { LiveWindow } from './window';
import type { WindowPart } from './window-segment';

const maxConnections = 2_000;

export type FindSession = (playbackId: string) => Pick<LiveSession, 'renditions'> | undefined;

/** The latest picture of a stream; null when there is none. */
export type FindThumbnail = Pick<Thumbnails, 'of'>;

/** What this node plays, for origins only: loopback, no CORS, no caching. */
export function startLiveHttp(
  find: FindSession,
  thumbnails: FindThumbnail,
  log: Logger,
): Promise<HttpServer> {
  const handler: RequestListener = (request, response) => {
    answer(request.url, find, thumbnails)
      .then((ready) => send(response, ready))
      .catch((error: unknown) => {
        log.error({ err: error, path: pathOf(request.url) }, 'request failed');
        response.destroy();
      });
  };
  return listen(handler, { host: '127.0.0.1', port: 0, maxConnections, log });
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
  if (hls.kind === 'playlist') return playlistAnswer(hls, session.renditions, parsePlaylistQuery(target));
  const { renditions } = session;
  if (hls.kind === 'media') return mediaAnswer(hls, renditions);
  const body = hls.kind === 'thumbnail' ? await thumbnails.of(renditions) : initOf(renditions, hls);
  return body ? bytes(hls, [body]) : nothing();
}

async function playlistAnswer(
  hls: HlsPath,
  renditions: Renditions,
  query: PlaylistQuery | null,
): Promise<Answer> {
  if (!query)
    return errorAnswer(400, '_HLS_msn and _HLS_part: whole numbers, the second not without the first');
  if (hls.rendition === null) {
    const body = masterOf(renditions, query);
    return body ? bytes(hls, [Buffer.from(body)]) : nothing();
  }
  const rendition = renditions.inFolder(hls.rendition);
  if (!rendition) return nothing();
  const { window } = rendition;
  if (query.msn !== null) {
    const waited = await waitFor(window, { msn: query.msn, part: query.part });
    if (waited === 'too_far') return errorAnswer(400, '_HLS_msn and _HLS_part: too far ahead');
    if (waited === 'late') return errorAnswer(503, 'No new media arrived in time.', { 'Retry-After': 1 });
  }
  const { lowLatency, skip } = query;
  if (!(lowLatency ? window.startable : window.playable)) return nothing();
  const reports = lowLatency ? reportsBeside(rendition, renditions) : [];
  return bytes(hls, [Buffer.from(mediaPlaylist(window.view(), { lowLatency, delta: skip, reports }))]);
}

function reportsBeside(rendition: Rendition, renditions: Renditions): RenditionReport[] {
  return renditions.all.flatMap((other) => {
    if (other === rendition || !other.window.startable) return [];
    return reportOf(`../${other.folder}/index.m3u8`, other.window.view()) ?? [];
  });
}

/**
 * Renditions join as soon as they can be played. Players read this once: before the source has a whole segment it is
 * given to those who play parts when all renditions that are being made have one.
 */
function masterOf(renditions: Renditions, { lowLatency }: PlaylistQuery): string | null {
  const { source, all } = renditions;
  const offered = all.filter(({ window }) => (lowLatency ? window.startable : window.playable));
  if (!source.window.playable && (!offered.includes(source) || offered.length < all.length)) return null;
  return masterPlaylist(
    offered.flatMap(({ folder, window }) => {
      const facts = window.facts();
      // Said by each media playlist of what it lists: a promise for what comes could not be kept.
      return facts
        ? [{ ...facts, independent: false, uri: `${folder}/index.m3u8${lowLatency ? '' : '?ll=0'}` }]
        : [];
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
