import type { Secrets } from '@/lib/infra/secrets';
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Answer } from '@/media-worker/kit/http/answer';
import { pathOf } from '@/media-worker/kit/http/request-url';
import { parseHlsPath, parsePlaylistQuery } from '@/media-worker/kit/http/hls-request';
import { parseEdges } from '@/media-worker/kit/http/via';
import type { ViewerHash } from '@/media-worker/kit/http/viewer-hash';
import type { ViewsPerAddress } from '@/media-worker/kit/http/views-per-address';
import { previewParameter } from '@/lib/core/access/shared-names';
import type { PreviewTokens } from '@/lib/domain/access';
import type { ViewerCount } from '@/media-worker/delivery/origin/audience/viewer-count';

/** Name of the query parameter for the token. */
const tokenParameter = 'viewer';

/** Base64 characters of the random part; a multiple of 4, so that they are whole bytes. */
const RANDOM_TEXT_LENGTH = 12;
/** Base64 characters of the signature. */
const SIGNATURE_LENGTH = 8;
/** The home, the random part and the signature. */
const tokenPattern = '[0-9a-f]{8}[A-Za-z0-9_-]{20}';
const tokenShape = new RegExp(`^${tokenPattern}$`);
const tokenInQuery = new RegExp(`[?&]${tokenParameter}=(${tokenPattern})(?:&|$)`);

type SigningSecrets = Pick<Secrets, 'sign' | 'verify'>;

const signingPurpose = 'viewer tokens';

/**
 * Issues tokens that identify playbacks: a master playlist contains a token, which returns with every request for a media
 * playlist. It begins with its home, the origin that counts it (`lib/core/nodes/playback-home.ts`). The rest is random,
 * reveals nothing about the viewer, and cannot be forged.
 */
export class ViewerTokens {
  readonly #secrets: SigningSecrets;
  /** Home prefix of this origin. */
  readonly home: string;

  constructor(secrets: SigningSecrets, home: string) {
    this.#secrets = secrets;
    this.home = home;
  }

  issue(playbackId: string): string {
    const unsignedToken = this.home + randomBytes((RANDOM_TEXT_LENGTH * 3) / 4).toString('base64url');
    const signature = this.#secrets
      .sign(signingPurpose, `${playbackId} ${unsignedToken}`)
      .toString('base64url');
    return unsignedToken + signature.slice(0, SIGNATURE_LENGTH);
  }

  isValid(playbackId: string, token: string): boolean {
    if (!tokenShape.test(token)) return false;
    const [unsignedToken, signature] = [token.slice(0, -SIGNATURE_LENGTH), token.slice(-SIGNATURE_LENGTH)];
    return this.#secrets.verify(
      signingPurpose,
      `${playbackId} ${unsignedToken}`,
      signature,
      SIGNATURE_LENGTH,
    );
  }
}

/** A master playlist with the parameter added to its media playlists. */
function withParameter(masterPlaylist: string, name: string, token: string): string {
  return masterPlaylist.replace(
    /^[^#\s].*$/gm,
    (uri) => `${uri}${uri.includes('?') ? '&' : '?'}${name}=${token}`,
  );
}

/** A possible token in a request target; null without one. */
export const readViewerToken = (target: string): string | null => tokenInQuery.exec(target)?.[1] ?? null;

const previewInQuery = new RegExp(`[?&]${previewParameter}=([0-9A-Za-z._-]{1,60})(?:&|$)`);
export const readPreviewToken = (target: string): string | null => previewInQuery.exec(target)?.[1] ?? null;

export interface WatchPlaylistsOptions {
  readonly count: Pick<ViewerCount, 'touch' | 'recordPlaylist'>;
  readonly tokens: ViewerTokens;
  readonly previews: Pick<PreviewTokens, 'isValid'>;
  readonly hashOf: ViewerHash;
  readonly perAddress: Pick<ViewsPerAddress, 'counts'>;
}

/**
 * Answers a request below `/hls` or `/asset` and records its viewer.
 * @param target path after that prefix
 */
export type Watch = (
  request: IncomingMessage,
  target: string,
  serve: () => Promise<Answer>,
) => Promise<Answer>;

/**
 * Records playbacks by their media playlist requests, and issues a token with each master playlist. No cookie is set,
 * and nothing about a viewer is stored: a request without a token counts by a salted hash of address and user agent. The
 * owner's player in the dashboard carries a preview token and is not counted.
 */
export function createPlaylistWatch(options: WatchPlaylistsOptions): Watch {
  const { count, tokens, previews, hashOf, perAddress } = options;
  return (request, target, serve) => {
    const hls = request.method === 'GET' ? parseHlsPath(pathOf(target)) : null;
    if (hls?.kind !== 'playlist') return serve();
    const { playbackId, rendition } = hls;
    const preview = readPreviewToken(target);
    const validPreview = preview !== null && previews.isValid(playbackId, preview) ? preview : null;
    if (rendition === null) {
      return serve().then((answer) =>
        withPlaybackToken(answer, target, () =>
          validPreview === null
            ? [tokenParameter, tokens.issue(playbackId)]
            : [previewParameter, validPreview],
        ),
      );
    }
    if (validPreview !== null) return serve();
    const token = readViewerToken(target);
    // An edge sends this request for all its viewers, and reports them itself.
    if (token === null && parseEdges(request.headers.via).length > 0) return serve();
    // A blocking playlist request counts as watching.
    if (token !== null && count.touch(playbackId, token)) return serve();
    const playback =
      token !== null && tokens.isValid(playbackId, token)
        ? token
        : // The origin that computed the hash counts the viewer, because other origins have other salts.
          tokens.home + hashOf(request);
    if (playback !== token && count.touch(playbackId, playback)) return serve();
    return serve().then((answer) => {
      if (answer.status === 200 && perAddress.counts(request, playbackId, playback))
        count.recordPlaylist(playbackId, playback);
      return answer;
    });
  };
}

/**
 * Adds a token to the URLs in a low-latency master playlist. `?ll=0` requests the version for caches, which has no
 * token and is the same for all viewers.
 */
function withPlaybackToken(
  answer: Answer,
  target: string,
  createParameter: () => readonly [string, string],
): Answer {
  if (answer.status !== 200 || parsePlaylistQuery(target)?.lowLatency !== true) return answer;
  // A probe without a playlist gets JSON.
  if (answer.headers?.['Content-Type'] === 'application/json') return answer;
  const masterPlaylist = Buffer.concat([...(answer.body ?? [])]).toString();
  return { ...answer, body: [Buffer.from(withParameter(masterPlaylist, ...createParameter()))] };
}
