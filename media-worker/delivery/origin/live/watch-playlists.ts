import type { Secrets } from '@/lib/infra/secrets';
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Answer, pathOf } from '@/media-worker/kit/http/answer';
import { parseHlsPath, parsePlaylistQuery } from '@/media-worker/kit/http/hls-request';
import { edgesIn } from '@/media-worker/kit/http/via';
import type { ViewerHash } from '@/media-worker/kit/http/viewer-hash';
import type { ViewsPerAddress } from '@/media-worker/kit/http/views-per-address';
import { previewParameter } from '@/lib/contract/access/preview';
import type { PreviewTokens } from '@/lib/domain/access';
import type { ViewerCount } from '@/media-worker/delivery/origin/audience/viewer-count';

/** Name of the parameter that carries it. */
const parameter = 'viewer';

const randomLength = 12;
const signedLength = 8;
const tokenPattern = '[0-9a-f]{8}[A-Za-z0-9_-]{20}';
const shape = new RegExp(`^${tokenPattern}$`);
const inQuery = new RegExp(`[?&]${parameter}=(${tokenPattern})(?:&|$)`);

type SigningSecrets = Pick<Secrets, 'sign' | 'verify'>;

const purpose = 'viewer tokens';

/**
 * Names one playback: who loads the master playlist gets a token that comes back with every media playlist. It begins
 * with its home, the origin that counts it (`lib/core/nodes/playback-home.ts`); the rest is random, says nothing about
 * the viewer, and cannot be made up.
 */
export class ViewerTokens {
  readonly #secrets: SigningSecrets;
  /** Of this origin. */
  readonly home: string;

  constructor(secrets: SigningSecrets, home: string) {
    this.#secrets = secrets;
    this.home = home;
  }

  issue(playbackId: string): string {
    const namedToken = this.home + randomBytes((randomLength * 3) / 4).toString('base64url');
    const signature = this.#secrets.sign(purpose, `${playbackId} ${namedToken}`).toString('base64url');
    return namedToken + signature.slice(0, signedLength);
  }

  valid(playbackId: string, token: string): boolean {
    if (!shape.test(token)) return false;
    const [namedToken, signature] = [token.slice(0, -signedLength), token.slice(-signedLength)];
    return this.#secrets.verify(purpose, `${playbackId} ${namedToken}`, signature, signedLength);
  }
}

/** A master playlist whose media playlists carry the parameter. */
function withParameter(master: string, name: string, token: string): string {
  return master.replace(/^[^#\s].*$/gm, (uri) => `${uri}${uri.includes('?') ? '&' : '?'}${name}=${token}`);
}

/** What looks like a token in a request target; null where there is none. */
export const tokenIn = (target: string): string | null => inQuery.exec(target)?.[1] ?? null;

const previewInQuery = new RegExp(`[?&]${previewParameter}=([0-9A-Za-z._-]{1,60})(?:&|$)`);
export const previewIn = (target: string): string | null => previewInQuery.exec(target)?.[1] ?? null;

export interface WatchPlaylistsOptions {
  readonly count: Pick<ViewerCount, 'touch' | 'saw'>;
  readonly tokens: ViewerTokens;
  readonly previews: Pick<PreviewTokens, 'valid'>;
  readonly hashOf: ViewerHash;
  readonly perAddress: Pick<ViewsPerAddress, 'counts'>;
}

/** Answers a request below `/hls` or `/asset`, and notes who watches. @param target what follows it */
export type Watch = (
  request: IncomingMessage,
  target: string,
  serve: () => Promise<Answer>,
) => Promise<Answer>;

/**
 * Notes playbacks by their requests for media playlists, and gives each that loads a master playlist a token of its own.
 * No cookie, and nothing about a viewer is stored: a request without a token counts by a hash of address and user agent
 * with a salt that only this process knows. The owner's own player, in the dashboard, carries a preview token and is not
 * counted.
 */
export function watchPlaylists(options: WatchPlaylistsOptions): Watch {
  const { count, tokens, previews, hashOf, perAddress } = options;
  return (request, target, serve) => {
    const hls = request.method === 'GET' ? parseHlsPath(pathOf(target)) : null;
    if (hls?.kind !== 'playlist') return serve();
    const { playbackId, rendition } = hls;
    const preview = previewIn(target);
    const previewId = preview !== null && previews.valid(playbackId, preview) ? preview : null;
    if (rendition === null) {
      return serve().then((answer) =>
        masterFor(answer, target, () =>
          previewId === null ? [parameter, tokens.issue(playbackId)] : [previewParameter, previewId],
        ),
      );
    }
    if (previewId !== null) return serve();
    const token = tokenIn(target);
    // For all viewers of an edge, which says itself who they are.
    if (token === null && edgesIn(request.headers.via).length > 0) return serve();
    // A blocked playlist request counts as watching.
    if (token !== null && count.touch(playbackId, token)) return serve();
    const playback =
      token !== null && tokens.valid(playbackId, token)
        ? token
        : // Counted where it was made: other origins have other salts.
          tokens.home + hashOf(request);
    if (playback !== token && count.touch(playbackId, playback)) return serve();
    return serve().then((answer) => {
      if (answer.status === 200 && perAddress.counts(request, playbackId, playback))
        count.saw(playbackId, playback);
      return answer;
    });
  };
}

/** `?ll=0` is for caches: the same for everybody. */
function masterFor(answer: Answer, target: string, name: () => readonly [string, string]): Answer {
  if (answer.status !== 200 || parsePlaylistQuery(target)?.lowLatency !== true) return answer;
  // To a probe: there is no playlist.
  if (answer.headers?.['Content-Type'] === 'application/json') return answer;
  const master = Buffer.concat([...(answer.body ?? [])]).toString();
  return { ...answer, body: [Buffer.from(withParameter(master, ...name()))] };
}
