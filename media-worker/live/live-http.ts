import type { RequestListener } from 'node:http';
import { mediaPlaylist, reportOf, type RenditionReport } from '@/lib/core/playlist';
import { masterPlaylist } from '@/lib/core/playlist-master';
import type { Logger } from '@/lib/infra/logger';
import { contentTypes, parseHlsPath, type HlsPath } from '../hls-path';
import { errorAnswer, jsonAnswer, pathOf, send, type Answer } from '../http/answer';
import { listen, type HttpServer } from '../http/listen';
import { parsePlaylistQuery, type PlaylistQuery } from '../playlist-query';
import { isHinted, waitFor } from './blocking-reload';
import type { LiveSession } from './live-session';
import type { Rendition, Renditions } from './rendition';
import type { Thumbnails } from './thumbnails';

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
  const hls = parseHlsPath(path);
  const session = hls && find(hls.playbackId);
  if (!hls || !session) return nothing();
  if (hls.kind === 'playlist') return playlistAnswer(hls, session.renditions, parsePlaylistQuery(target));
  const { renditions } = session;
  const body =
    hls.kind === 'thumbnail' ? only(await thumbnails.of(renditions)) : await fileOf(renditions, hls);
  return body ? bytes(hls, body) : nothing();
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
    if (waited === 'too_far') return errorAnswer(400, '_HLS_msn: is too far ahead');
    if (waited === 'late') return errorAnswer(503, 'Nothing new came in time.', { 'Retry-After': 1 });
  }
  if (!window.playable) return nothing();
  const reports = query.lowLatency ? reportsBeside(rendition, renditions) : [];
  const { lowLatency, skip } = query;
  return bytes(hls, [Buffer.from(mediaPlaylist(window.view(), { lowLatency, delta: skip, reports }))]);
}

function reportsBeside(rendition: Rendition, renditions: Renditions): RenditionReport[] {
  return renditions.all.flatMap((other) => {
    if (other === rendition || !other.window.playable) return [];
    return reportOf(`../${other.folder}/index.m3u8`, other.window.view()) ?? [];
  });
}

/** Renditions join as soon as they can be played; before the source can, there is nothing. */
function masterOf(renditions: Renditions, { lowLatency }: PlaylistQuery): string | null {
  if (!renditions.source.window.playable) return null;
  const offered = renditions.all.flatMap(({ folder, window }) => {
    const facts = window.facts();
    return facts ? [{ ...facts, uri: `${folder}/index.m3u8${lowLatency ? '' : '?ll=0'}` }] : [];
  });
  return masterPlaylist(offered);
}

/** The bytes behind an address; null when there are none (any more). The part that comes next is waited for. */
async function fileOf(
  renditions: Renditions,
  { rendition, file, kind }: HlsPath,
): Promise<readonly Buffer[] | null> {
  const window = rendition === null ? undefined : renditions.inFolder(rendition)?.window;
  if (!window) return null;
  if (kind === 'init') return only(window.init(file));
  const [msn, part] = file.split('.', 2).map(Number) as [number, number];
  if (Number.isNaN(part)) return window.segment(msn)?.parts.flatMap(({ data }) => data) ?? null;
  if (isHinted(window, msn, part)) await waitFor(window, { msn, part });
  return window.part(msn, part)?.data ?? null;
}

function bytes({ kind }: HlsPath, body: readonly Buffer[]): Answer {
  return { status: 200, headers: { 'Content-Type': contentTypes[kind] }, body };
}

function nothing(): Answer {
  return errorAnswer(404, 'Nothing is live at this address.');
}

function only(data: Buffer | null | undefined): readonly Buffer[] | null {
  return data ? [data] : null;
}
