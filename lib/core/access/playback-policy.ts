import { DAY_SECONDS } from '@/lib/core/units';
import { isAllowedOrigin, parseOrigin } from './origin';

/** Policies that decide who may watch. `public` needs only the playback id. */
export const playbackPolicyTypes = ['public', 'jwt', 'webhook', 'password'] as const;

interface PlaybackPolicy {
  readonly type: (typeof playbackPolicyTypes)[number];
  readonly allowedOrigins?: readonly string[];
  readonly allowedCountries?: readonly string[];
  readonly blockedCountries?: readonly string[];
}

/** Why a viewer is rejected: the HTTP status and the message of each code. */
const rejections = {
  malformed: [403, 'The token cannot be read.'],
  algorithm: [403, 'The token must be signed with ES256.'],
  unknown_key: [403, 'The token was signed with an unknown key.'],
  key_disabled: [403, 'The signing key of the token is disabled.'],
  signature: [403, 'The signature of the token is not valid.'],
  other_action: [403, 'The token is not for playback: its action must be "pull".'],
  other_playback: [403, 'The token is for another playback id.'],
  no_expiry: [403, 'The token never expires: it needs exp.'],
  not_yet_valid: [403, 'The token is not valid yet.'],
  expired: [403, 'The token has expired.'],
  revoked: [403, 'The token was revoked.'],
  token_required: [403, 'A token is required to watch this.'],
  password_required: [403, 'A password is required to watch this.'],
  access_key_required: [403, 'An access key is required to watch this.'],
  access_key_too_long: [403, 'The access key is longer than 512 bytes.'],
  origin: [403, 'This cannot be watched on this site.'],
  country: [403, 'This cannot be watched in your country.'],
  country_unknown: [403, 'This can be watched in some countries only, and yours is not known.'],
  denied: [403, 'The owner does not let you watch this.'],
  webhook_unreachable: [502, 'The owner’s server, which decides who may watch this, does not respond.'],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type ViewerRejectionCode = keyof typeof rejections;

export interface ViewerRejection {
  readonly code: ViewerRejectionCode;
  readonly status: number;
  readonly message: string;
}

export function viewerRejection(code: ViewerRejectionCode): ViewerRejection {
  const [status, message] = rejections[code];
  return { code, status, message };
}

/** Whether a policy restricts viewers, by requiring a proof or by origin or country. */
export function isRestricted(policy: PlaybackPolicy): boolean {
  return policy.type !== 'public' || !allowsAnyOrigin(policy.allowedOrigins ?? []) || hasCountryLimit(policy);
}

/** Whether the policy restricts viewers by country. */
export const hasCountryLimit = ({ allowedCountries = [], blockedCountries = [] }: PlaybackPolicy): boolean =>
  allowedCountries.length + blockedCountries.length > 0;

const allowsAnyOrigin = (allowedOrigins: readonly string[]): boolean =>
  allowedOrigins.length === 0 || allowedOrigins.includes('*');

/** Claims of a token with a valid signature. */
export interface SignedClaims {
  readonly sub?: unknown;
  readonly action?: unknown;
  /** Unix seconds. */
  readonly exp?: unknown;
  readonly nbf?: unknown;
}

/** Maximum number of seconds by which the clock of the signer may be ahead of the clock of this server. */
const MAX_CLOCK_LEAD_SECONDS = 5;

/**
 * Why a signed token does not admit a viewer; null if it does.
 * @param claims claims of a token whose signature is valid
 * @param id playback id, or id of a session, that the viewer wants to watch
 * @param now Unix seconds
 */
export function signedTokenRejection(
  claims: SignedClaims,
  id: string,
  now: number,
): ViewerRejectionCode | null {
  const { sub, action, exp, nbf } = claims;
  // The signing helper of Livepeer sets this claim, but tokens without it are accepted as well.
  if (action !== undefined && action !== 'pull') return 'other_action';
  if (sub !== id) return 'other_playback';
  if (typeof exp !== 'number') return 'no_expiry';
  if (nbf !== undefined && !(typeof nbf === 'number' && nbf <= now + MAX_CLOCK_LEAD_SECONDS))
    return 'not_yet_valid';
  return exp > now ? null : 'expired';
}

/** A token issued by this service, with a valid signature. */
interface OwnToken {
  /** Unix seconds. */
  readonly expiresAt: number;
  /** Hash of the token or of the credential it was issued for; the list of revoked credentials contains such hashes. */
  readonly digest: string;
  /** Id of the signing key of the token. */
  readonly keyId?: string;
}

/** What decides whether tokens of this service are still valid. */
interface TokenValidity {
  /** Unix seconds. */
  readonly now: number;
  readonly revokedDigests: ReadonlySet<string>;
  readonly keys: readonly { readonly id: string; readonly disabled: boolean }[];
}

/**
 * Why a token of this service does not admit a viewer; null if it does. The token is rejected after its expiry, and when it
 * was revoked or its signing key was disabled or deleted.
 */
export function ownTokenRejection(
  token: OwnToken,
  { now, revokedDigests, keys }: TokenValidity,
): ViewerRejectionCode | null {
  if (token.keyId !== undefined) {
    const key = keys.find(({ id }) => id === token.keyId);
    if (!key) return 'unknown_key';
    if (key.disabled) return 'key_disabled';
  }
  if (revokedDigests.has(token.digest)) return 'revoked';
  return token.expiresAt > now ? null : 'expired';
}

/** Why a viewer without a token, access key or password is rejected; null if the policy requires none. */
export function missingProofRejection({ type }: PlaybackPolicy): ViewerRejectionCode | null {
  if (type === 'public') return null;
  const codes = {
    jwt: 'token_required',
    password: 'password_required',
    webhook: 'access_key_required',
  } as const;
  return codes[type];
}

/**
 * Why a page may not play under a policy; null if it may. Pages of this service may always play.
 * @param origin origin of the page, as `originOf` returns it; null if it is unknown
 * @param isOwn whether the page belongs to this service
 */
export function originRejection(
  { allowedOrigins = [] }: PlaybackPolicy,
  { origin, isOwn }: { readonly origin: string | null; readonly isOwn: boolean },
): ViewerRejectionCode | null {
  if (allowsAnyOrigin(allowedOrigins) || isOwn) return null;
  return origin !== null && isAllowedOrigin(allowedOrigins, origin) ? null : 'origin';
}

/**
 * Why a viewer may not watch because of the country; null if the viewer may.
 * @param country country of the viewer; null if the address belongs to no country, which only a list of allowed countries
 * rejects; undefined if the address or the location database is missing, which every country limit rejects
 */
export function countryRejection(
  policy: PlaybackPolicy,
  country: string | null | undefined,
): ViewerRejectionCode | null {
  if (!hasCountryLimit(policy)) return null;
  const { allowedCountries = [], blockedCountries = [] } = policy;
  if (country === undefined) return 'country_unknown';
  if (country === null) return allowedCountries.length > 0 ? 'country_unknown' : null;
  const allowsCountry = allowedCountries.length === 0 || allowedCountries.includes(country);
  return allowsCountry && !blockedCountries.includes(country) ? null : 'country';
}

/**
 * The origin of the page that sent a request, from its Origin header, or from its Referer header if it has no Origin header;
 * null if that header is missing or has no web origin.
 */
export function originOf(
  origin: string | undefined | null,
  referer: string | undefined | null,
): string | null {
  if (origin) return parseOrigin(origin);
  if (!referer) return null;
  const [refererOrigin = ''] = /^https?:\/\/[^/?#]+/i.exec(referer) ?? [];
  return parseOrigin(refererOrigin);
}

/** A path below `/hls`, `/recordings` or `/asset`, split into the id and the path token. */
export interface TokenPath {
  /** Playback id, or id of a session. */
  readonly id: string;
  /** The token of the path; null if the path has none. */
  readonly token: string | null;
  /** The path without its token. */
  readonly pathWithoutToken: string;
}

/**
 * Splits the path token from a path. It is the segment after the id, and starts with a tilde. The folder of a rendition may
 * start with a tilde and two hexadecimal digits, but a token starts with a letter from Q to X, as the high bits of its first
 * byte are fixed, and has at most 1,024 characters. The path is not decoded.
 * @returns null for a path that does not start with an id
 */
export function splitPathToken(path: string): TokenPath | null {
  const idEnd = path.indexOf('/', 1);
  if (idEnd < 2 || path[0] !== '/') return null;
  const id = path.slice(1, idEnd);
  if (path[idEnd + 1] !== '~') return { id, token: null, pathWithoutToken: path };
  const [pathSegment = '', token] =
    /^~([Q-X][\w-]{39,1023})(?=\/)/.exec(path.slice(idEnd + 1, idEnd + 1_027)) ?? [];
  if (token === undefined) return { id, token: null, pathWithoutToken: path };
  return { id, token, pathWithoutToken: path.slice(0, idEnd) + path.slice(idEnd + 1 + pathSegment.length) };
}

/** The path segment that contains a token, with its slash. */
export const tokenSegment = (token: string): string => `~${token}/`;

/** Lifetime of a path token in seconds. It limits how long a viewer who was admitted can watch. */
export const PATH_TOKEN_SECONDS = DAY_SECONDS;
