import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { parseHlsPath, type HlsPath } from '../hls-path';
import { pathOf, type Answer } from '../http/answer';
import { parsePlaylistQuery } from '../playlist-query';
import type { ViewerCount } from './viewer-count';
import type { ViewerTokens } from './viewer-token';
import { tokenIn, withViewer } from './viewer-token';

export interface WatchPlaylistsOptions {
  readonly count: Pick<ViewerCount, 'touch' | 'saw'>;
  readonly tokens: ViewerTokens;
  readonly addressOf: (request: IncomingMessage) => string;
}

/** Answers a request below `/hls`, and notes who watches. */
export type WatchPlaylists = (
  request: IncomingMessage,
  target: string,
  serve: () => Promise<Answer>,
) => Promise<Answer>;

/**
 * Notes playbacks by their requests for media playlists, and gives each that loads a master playlist a token of its own.
 * No cookie, and nothing about a viewer is stored: a request without a token counts by a hash of address and user agent
 * with a salt that only this process knows.
 */
export function watchPlaylists({ count, tokens, addressOf }: WatchPlaylistsOptions): WatchPlaylists {
  const salt = randomBytes(32);
  const hashOf = (request: IncomingMessage): string => {
    const agent = request.headers['user-agent'] ?? '';
    return createHash('sha256')
      .update(salt)
      .update(`${addressOf(request)} ${agent}`)
      .digest('base64url');
  };
  return (request, target, serve) => {
    const hls = request.method === 'GET' ? parseHlsPath(pathOf(target)) : null;
    if (hls?.kind !== 'playlist') return serve();
    const { playbackId, rendition } = hls;
    if (rendition === null) return serve().then((answer) => masterFor(answer, hls, target, tokens));
    const token = tokenIn(target);
    // A blocked playlist request counts as watching.
    if (token !== null && count.touch(playbackId, token)) return serve();
    const playback = token !== null && tokens.valid(playbackId, token) ? token : hashOf(request);
    if (playback !== token && count.touch(playbackId, playback)) return serve();
    return serve().then((answer) => {
      if (answer.status === 200) count.saw(playbackId, playback);
      return answer;
    });
  };
}

/** `?ll=0` is for caches: the same for everybody. */
function masterFor(answer: Answer, { playbackId }: HlsPath, target: string, tokens: ViewerTokens): Answer {
  if (answer.status !== 200 || parsePlaylistQuery(target)?.lowLatency !== true) return answer;
  const master = Buffer.concat([...(answer.body ?? [])]).toString();
  // No two get the same one.
  const headers = { ...answer.headers, 'Cache-Control': 'no-store' };
  return { ...answer, headers, body: [Buffer.from(withViewer(master, tokens.issue(playbackId)))] };
}
