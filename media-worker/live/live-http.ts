import { mediaPlaylist } from '@/lib/core/playlist';
import { masterPlaylist } from '@/lib/core/playlist-master';
import type { Logger } from '@/lib/infra/logger';
import { contentTypes, parseHlsPath, type HlsPath } from '../hls-path';
import { errorAnswer, jsonAnswer, pathOf, send, type Answer } from '../http/answer';
import { listen, type HttpServer } from '../http/listen';
import type { LiveSession } from './live-session';
import type { LiveWindow } from './window';

/** The folder of the unprocessed source; `targets` of a stream call it so too (specification §2.1). */
const sourceRendition = 'source';
const maxConnections = 2_000;

export type FindSession = (playbackId: string) => Pick<LiveSession, 'window'> | undefined;

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
  const body = hls && session ? read(session.window, hls) : null;
  if (!hls || !body) return errorAnswer(404, 'Nothing is live at this address.');
  return { status: 200, headers: { 'Content-Type': contentTypes[hls.kind] }, body };
}

/** The bytes behind an address; null when there are none (yet, or any more). */
function read(window: LiveWindow, { rendition, file, kind }: HlsPath): readonly Buffer[] | null {
  if (rendition === null) return master(window);
  if (rendition !== sourceRendition) return null;
  if (kind === 'playlist') return playlist(window);
  if (kind === 'init') return only(window.init(file));
  const [msn, part] = file.split('.');
  if (part === 'm4s') return window.segment(Number(msn))?.parts.map(({ data }) => data) ?? null;
  return only(window.part(Number(msn), Number(part))?.data);
}

function master(window: LiveWindow): readonly Buffer[] | null {
  const facts = window.facts();
  if (!facts) return null;
  return [Buffer.from(masterPlaylist([{ ...facts, uri: `${sourceRendition}/index.m3u8` }]))];
}

/** Low-latency tags and blocking reload come with the live issue: the window has all they need. */
function playlist(window: LiveWindow): readonly Buffer[] | null {
  return window.playable ? [Buffer.from(mediaPlaylist(window.view(), { lowLatency: false }))] : null;
}

function only(data: Buffer | undefined): readonly Buffer[] | null {
  return data ? [data] : null;
}
