import { mediaPlaylist } from '@/lib/core/playlist';
import { masterPlaylist } from '@/lib/core/playlist-master';
import type { Logger } from '@/lib/infra/logger';
import { contentTypes, parseHlsPath, type HlsPath } from '../hls-path';
import { errorAnswer, jsonAnswer, pathOf, send, type Answer } from '../http/answer';
import { listen, type HttpServer } from '../http/listen';
import type { LiveSession } from './live-session';
import type { Renditions } from './rendition';
import type { LiveWindow } from './window';

const maxConnections = 2_000;

export type FindSession = (playbackId: string) => Pick<LiveSession, 'renditions'> | undefined;

/** What this node plays, for origins only: loopback, no CORS, no caching. */
export function startLiveHttp(find: FindSession, log: Logger): Promise<HttpServer> {
  return listen((request, response) => send(response, answer(pathOf(request.url), find)), {
    host: '127.0.0.1',
    port: 0,
    maxConnections,
    log,
  });
}

function answer(path: string, find: FindSession): Answer {
  if (path === '/healthz') return jsonAnswer(200, { ok: true });
  const hls = parseHlsPath(path);
  const session = hls && find(hls.playbackId);
  const body = hls && session ? read(session.renditions, hls) : null;
  if (!hls || !body) return errorAnswer(404, 'Nothing is live at this address.');
  return { status: 200, headers: { 'Content-Type': contentTypes[hls.kind] }, body };
}

/** The bytes behind an address; null when there are none (yet, or any more). */
function read(renditions: Renditions, { rendition, file, kind }: HlsPath): readonly Buffer[] | null {
  if (rendition === null) return master(renditions);
  const window = renditions.inFolder(rendition)?.window;
  if (!window) return null;
  if (kind === 'playlist') return playlist(window);
  if (kind === 'init') return only(window.init(file));
  const [msn, part] = file.split('.');
  if (part === 'm4s') return window.segment(Number(msn))?.parts.map(({ data }) => data) ?? null;
  return only(window.part(Number(msn), Number(part))?.data);
}

/** Renditions join as soon as they can be played; before the source can, there is nothing. */
function master(renditions: Renditions): readonly Buffer[] | null {
  if (!renditions.source.window.playable) return null;
  const offered = renditions.all.flatMap(({ folder, window }) => {
    const facts = window.facts();
    return facts ? [{ ...facts, uri: `${folder}/index.m3u8` }] : [];
  });
  return [Buffer.from(masterPlaylist(offered))];
}

/** Low-latency tags and blocking reload come with the live issue: the window has all they need. */
function playlist(window: LiveWindow): readonly Buffer[] | null {
  return window.playable ? [Buffer.from(mediaPlaylist(window.view(), { lowLatency: false }))] : null;
}

function only(data: Buffer | undefined): readonly Buffer[] | null {
  return data ? [data] : null;
}
