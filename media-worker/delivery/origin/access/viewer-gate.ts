import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type Gate, type PlaybackAdmission, type Proofs } from '@/lib/domain/access';
import {
  type Refusal,
  hasCountries,
  isGated,
  splitToken,
  tokenSegment,
} from '@/lib/core/access/playback-policy';
import {
  type Answer,
  errorAnswer,
  jsonAnswer,
  notFoundAnswer,
  pathOf,
  queryOf,
} from '@/media-worker/kit/http/answer';
import { prefixAddresses } from '@/media-worker/kit/http/prefix-addresses';
import { previewIn } from '@/media-worker/delivery/origin/live/watch-playlists';
import type { LookupCache } from '@/media-worker/delivery/origin/lookup-cache';

export interface ViewerGateOptions {
  readonly gates: Pick<LookupCache<Gate>, 'find'>;
  readonly admission: Pick<PlaybackAdmission, 'admit' | 'pathToken' | 'refusalOfPath'>;
  readonly previews: { memberOf(playbackId: string, token: string): string | null };
  /**
   * The country code of the viewer: null if the address has none, undefined if it is unknown (`countryRefusal` in
   * lib/core/access).
   */
  readonly countryOf: (request: IncomingMessage) => string | null | undefined;
}

/** The object that a request refers to. */
export type GuardedObject = Pick<Gate, 'teamId' | 'objectId' | 'takesReports'>;

/**
 * @param url the request target without the token that its path may carry
 * @param headers the request headers to evaluate
 * @param pass proof to give to `goesOn` later, for a connection that lasts; null: the content is public
 */
type Serve = (
  url: string,
  headers: IncomingHttpHeaders,
  object: GuardedObject,
  pass: string | null,
) => Promise<Answer>;

/**
 * Admits viewers.
 * @param folder `/hls`, `/recordings` or `/asset`
 * @param serve answers an admitted request without further checks
 * @param absent explains why an object is missing, suspended or deleted; if absent: not found
 */
export type GuardViewers = (
  request: IncomingMessage,
  folder: string,
  serve: Serve,
  absent?: (url: string) => Promise<Answer>,
) => Promise<Answer>;

/** Checks access when playback starts and while it continues. */
export interface ViewerGate {
  readonly guard: GuardViewers;
  /**
   * Whether an admitted viewer may continue. While the database is unavailable, the cached policy counts.
   * @param pass the value that `serve` received
   */
  readonly goesOn: (playbackId: string, pass: string | null) => Promise<boolean>;
}

/** Request headers that ask for the whole file, unconditionally and uncompressed. */
const allHeaders: IncomingHttpHeaders = {};

const unavailable = errorAnswer(503, 'Temporarily unavailable. Try again.', { 'Retry-After': 1 });
const nothingAnswer = notFoundAnswer('Nothing can be played at this URL.');

/**
 * Access is decided once: the first playlist carries a token in the path of everything it leads to. After that, a
 * request costs one lookup. Media playlists and segments are the same bytes for all viewers.
 */
export function guardViewers(options: ViewerGateOptions): GuardViewers {
  const { gates, admission } = options;
  const admit = async (request: IncomingMessage, gate: Gate, bare: string, serve: Serve): Promise<Answer> => {
    const decision = await admission.admit(gate, proofsOf(request, gate, options));
    if ('code' in decision) return refusalAnswer(decision);
    const pass = admission.pathToken(gate, decision);
    if (!hasRelativeUrls.test(pathOf(bare)))
      return forOneViewer(await serve(bare, request.headers, gate, pass));
    const answer = await serve(bare, allHeaders, gate, pass);
    return withToken(answer, tokenSegment(pass), pathOf(bare));
  };
  return async (request, folder, serve, absent) => {
    const { url = '' } = request;
    const path = pathOf(url);
    const split = splitToken(path.slice(folder.length));
    if (!split) return nothingAnswer;
    const gate = await gates.find(split.id).catch(() => undefined);
    if (gate === undefined) return unavailable;
    const bare = split.token === null ? url : folder + split.bare + url.slice(path.length);
    if (gate === null) return absent?.(bare) ?? nothingAnswer;
    // Paths of previously admitted viewers keep working when the content becomes public.
    if (!isGated(gate.policy)) return serve(bare, request.headers, gate, null);
    if (split.token === null) return admit(request, gate, bare, serve);
    const refusal = admission.refusalOfPath(gate, split.token);
    return refusal
      ? refusalAnswer(refusal)
      : forOneViewer(await serve(bare, request.headers, gate, split.token));
  };
}

/** Whether an admitted viewer may continue to watch. */
export function viewersGoOn({
  gates,
  admission,
}: Pick<ViewerGateOptions, 'gates' | 'admission'>): ViewerGate['goesOn'] {
  return async (playbackId, pass) => {
    const gate = await gates.find(playbackId).catch(() => undefined);
    if (gate === undefined) return true;
    if (gate === null) return false;
    if (!isGated(gate.policy)) return true;
    return pass !== null && admission.refusalOfPath(gate, pass) === null;
  };
}

function proofsOf(
  request: IncomingMessage,
  gate: Gate,
  { previews, countryOf }: Pick<ViewerGateOptions, 'previews' | 'countryOf'>,
): Proofs {
  const { url = '', headers } = request;
  const query = queryOf(url);
  const header = (name: string) => [headers[name]].flat()[0] ?? null;
  const preview = previewIn(url);
  return {
    jwt: query.get('jwt') ?? header('livepeer-jwt'),
    accessKey: query.get('accessKey') ?? header('livepeer-access-key'),
    token: query.get('token'),
    member: preview === null ? null : previews.memberOf(gate.id, preview),
    origin: headers.origin,
    referer: headers.referer,
    site: header('sec-fetch-site'),
    country: hasCountries(gate.policy) ? countryOf(request) : null,
  };
}

function refusalAnswer({ code, status, message }: Refusal): Answer {
  const headers = status >= 500 ? { 'Retry-After': 5 } : {};
  return jsonAnswer(status, { errors: [message], refusal: code }, headers);
}

/** Private answers by the shared answer, so that each is made once for all viewers. */
const privately = new WeakMap<Answer, Answer>();

function forOneViewer(answer: Answer): Answer {
  let privateAnswer = privately.get(answer);
  if (!privateAnswer) privately.set(answer, (privateAnswer = withoutSharedCaches(answer)));
  return privateAnswer;
}

/** Shared caches do not know tokens, and would serve content after a token was revoked. */
function withoutSharedCaches(answer: Answer): Answer {
  const cacheControl = answer.headers?.['Cache-Control'];
  if (typeof cacheControl !== 'string' || cacheControl.includes('no-store')) return answer;
  const directives = cacheControl
    .split(', ')
    .filter((directive) => directive !== 'public' && !directive.startsWith('s-maxage'));
  return {
    ...answer,
    headers: { ...answer.headers, 'Cache-Control': ['private', ...directives].join(', ') },
  };
}

/** Files with relative URLs: the top playlist and the storyboards. */
const hasRelativeUrls = /^\/[a-z]+\/[a-z0-9-]+\/(?:index\.m3u8|storyboard\.vtt)$/;

/** Adds the token before the relative URLs of an answer, which makes the answer private to one viewer. */
async function withToken(answer: Answer, segment: string, path: string): Promise<Answer> {
  const headers = { ...answer.headers, 'Cache-Control': 'no-store' };
  const { status, body, stream } = answer;
  // A probe without a playlist gets JSON.
  if (status !== 200 || answer.headers?.['Content-Type'] === 'application/json')
    return { ...answer, headers };
  const bytes = stream ? await buffer(await stream.open()) : Buffer.concat([...(body ?? [])]);
  const text = bytes.toString();
  const changedLines = path.endsWith('.vtt')
    ? text.replace(/^(?=storyboard-\d)/gm, segment)
    : prefixAddresses(text, segment);
  const { delivery } = answer;
  return { status, headers, body: [Buffer.from(changedLines)], ...(delivery ? { delivery } : {}) };
}
