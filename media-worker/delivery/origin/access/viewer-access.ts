import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { AccessRules, PlaybackAdmission, ViewerCredentials } from '@/lib/domain/access';
import {
  type ViewerRejection,
  hasCountryLimit,
  isRestricted,
  splitPathToken,
  tokenSegment,
} from '@/lib/core/access/playback-policy';
import { type Answer, errorAnswer, jsonAnswer, notFoundAnswer } from '@/media-worker/kit/http/answer';
import { queryOf, pathOf } from '@/media-worker/kit/http/request-url';
import { prefixUrls } from '@/media-worker/kit/http/prefix-urls';
import { readPreviewToken } from '@/media-worker/delivery/origin/live/watch-playlists';
import type { LookupCache } from '@/media-worker/delivery/origin/lookup-cache';

export interface ViewerAccessOptions {
  /** Access rules by playback id or session id. */
  readonly rulesCache: Pick<LookupCache<AccessRules>, 'find'>;
  readonly admission: Pick<PlaybackAdmission, 'admit' | 'issuePathToken' | 'checkPathToken'>;
  /** Reads preview tokens, with which members of the team watch. */
  readonly previews: { readMemberDigest(playbackId: string, token: string): string | null };
  /**
   * The country code of the viewer: null if the address has none, undefined if it is unknown (`countryRejection` in
   * lib/core/access).
   */
  readonly countryOf: (request: IncomingMessage) => string | null | undefined;
}

/** The object that a request refers to. */
export type GuardedObject = Pick<AccessRules, 'teamId' | 'objectId' | 'takesReports'>;

/**
 * @param url the request target without the token that its path may carry
 * @param headers the request headers to evaluate
 * @param pass proof to give to `mayContinue` later, for a connection that lasts; null: the content is public
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
export interface ViewerAccess {
  readonly guard: GuardViewers;
  /**
   * Whether an admitted viewer may continue. While the database is unavailable, the cached policy counts; if no policy
   * is cached, the viewer may continue.
   * @param pass the value that `serve` received
   */
  readonly mayContinue: (playbackId: string, pass: string | null) => Promise<boolean>;
}

/** Empty request headers: they request the whole file, unconditionally and uncompressed. */
const noHeaders: IncomingHttpHeaders = {};

const unavailableAnswer = errorAnswer(503, 'Temporarily unavailable. Try again.', { 'Retry-After': 1 });
const notPlayableAnswer = notFoundAnswer('Nothing can be played at this URL.');

/**
 * Creates the access check of viewer requests. Access is decided once: the master playlist carries a token in the
 * path of every URL in it. After that, a request costs one lookup. Media playlists and segments are the same bytes
 * for all viewers.
 */
export function guardViewers(options: ViewerAccessOptions): GuardViewers {
  const { rulesCache, admission } = options;
  const admit = async (
    request: IncomingMessage,
    rules: AccessRules,
    urlWithoutToken: string,
    serve: Serve,
  ): Promise<Answer> => {
    const decision = await admission.admit(rules, credentialsOf(request, rules, options));
    if ('code' in decision) return rejectionAnswer(decision);
    const pass = admission.issuePathToken(rules, decision);
    if (!relativeUrlFile.test(pathOf(urlWithoutToken)))
      return forOneViewer(await serve(urlWithoutToken, request.headers, rules, pass));
    const answer = await serve(urlWithoutToken, noHeaders, rules, pass);
    return withToken(answer, tokenSegment(pass), pathOf(urlWithoutToken));
  };
  return async (request, folder, serve, absent) => {
    const { url = '' } = request;
    const path = pathOf(url);
    const split = splitPathToken(path.slice(folder.length));
    if (!split) return notPlayableAnswer;
    const rules = await rulesCache.find(split.id).catch(() => undefined);
    if (rules === undefined) return unavailableAnswer;
    const urlWithoutToken =
      split.token === null ? url : folder + split.pathWithoutToken + url.slice(path.length);
    if (rules === null) return absent?.(urlWithoutToken) ?? notPlayableAnswer;
    // Paths of previously admitted viewers keep working when the content becomes public.
    if (!isRestricted(rules.policy)) return serve(urlWithoutToken, request.headers, rules, null);
    if (split.token === null) return admit(request, rules, urlWithoutToken, serve);
    const rejection = admission.checkPathToken(rules, split.token);
    return rejection
      ? rejectionAnswer(rejection)
      : forOneViewer(await serve(urlWithoutToken, request.headers, rules, split.token));
  };
}

/** Creates the check whether an admitted viewer may continue to watch. */
export function createContinuationCheck({
  rulesCache,
  admission,
}: Pick<ViewerAccessOptions, 'rulesCache' | 'admission'>): ViewerAccess['mayContinue'] {
  return async (playbackId, pass) => {
    const rules = await rulesCache.find(playbackId).catch(() => undefined);
    if (rules === undefined) return true;
    if (rules === null) return false;
    if (!isRestricted(rules.policy)) return true;
    return pass !== null && admission.checkPathToken(rules, pass) === null;
  };
}

function credentialsOf(
  request: IncomingMessage,
  rules: AccessRules,
  { previews, countryOf }: Pick<ViewerAccessOptions, 'previews' | 'countryOf'>,
): ViewerCredentials {
  const { url = '', headers } = request;
  const query = queryOf(url);
  const headerValue = (name: string) => [headers[name]].flat()[0] ?? null;
  const preview = readPreviewToken(url);
  return {
    jwt: query.get('jwt') ?? headerValue('livepeer-jwt'),
    accessKey: query.get('accessKey') ?? headerValue('livepeer-access-key'),
    token: query.get('token'),
    memberDigest: preview === null ? null : previews.readMemberDigest(rules.id, preview),
    origin: headers.origin,
    referer: headers.referer,
    site: headerValue('sec-fetch-site'),
    country: hasCountryLimit(rules.policy) ? countryOf(request) : null,
  };
}

function rejectionAnswer({ code, status, message }: ViewerRejection): Answer {
  const headers = status >= 500 ? { 'Retry-After': 5 } : {};
  return jsonAnswer(status, { errors: [message], refusal: code }, headers);
}

/** The private version of each shared answer, so that it is created once for all viewers. */
const privateAnswers = new WeakMap<Answer, Answer>();

function forOneViewer(answer: Answer): Answer {
  let privateAnswer = privateAnswers.get(answer);
  if (!privateAnswer) privateAnswers.set(answer, (privateAnswer = withoutSharedCaches(answer)));
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

/** Files with relative URLs: the master playlist and the storyboard. */
const relativeUrlFile = /^\/[a-z]+\/[a-z0-9-]+\/(?:index\.m3u8|storyboard\.vtt)$/;

/** Adds the token before the relative URLs of an answer, which makes the answer private to one viewer. */
async function withToken(answer: Answer, segment: string, path: string): Promise<Answer> {
  const headers = { ...answer.headers, 'Cache-Control': 'no-store' };
  const { status, body, stream } = answer;
  // A probe without a playlist gets JSON.
  if (status !== 200 || answer.headers?.['Content-Type'] === 'application/json')
    return { ...answer, headers };
  const bytes = stream ? await buffer(await stream.open()) : Buffer.concat([...(body ?? [])]);
  const text = bytes.toString();
  const textWithTokens = path.endsWith('.vtt')
    ? text.replace(/^(?=storyboard-\d)/gm, segment)
    : prefixUrls(text, segment);
  const { delivery } = answer;
  return { status, headers, body: [Buffer.from(textWithTokens)], ...(delivery ? { delivery } : {}) };
}
