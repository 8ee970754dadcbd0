import { isAllowedOrigin } from './origin';
import { isAtLeast, type TeamRole } from './team-roles';

/** Access rules in an endpoint definition (lib/contract/define-endpoint.ts). */
export interface EndpointAccess {
  readonly auth: 'key-or-session' | 'session' | 'public';
  /** Whether CORS-enabled keys without full access may call this endpoint. */
  readonly corsKeyAllowed: boolean;
  /** Whether callers without a key or session may call the endpoint as well. They get public content only. */
  readonly keyOptional?: true;
  readonly method: string;
  /** Tag of the endpoint in the OpenAPI document. */
  readonly tag: string;
  /** Whether only operators of the service may call the endpoint. */
  readonly operatorOnly?: true;
}

/**
 * What a key may do. `read`: read everything. `streams`, `assets`, `webhooks`: read and change objects of this kind. `all`:
 * everything.
 */
export const keyScopes = ['read', 'streams', 'assets', 'webhooks', 'all'] as const;
export type KeyScope = (typeof keyScopes)[number];

/** The scope for endpoints with a tag of the OpenAPI document. Endpoints with other tags need `read` or `all`. */
const scopeOfTag: Readonly<Partial<Record<string, KeyScope>>> = {
  Streams: 'streams',
  Sessions: 'streams',
  Multistream: 'streams',
  Playback: 'streams',
  Assets: 'assets',
  Tasks: 'assets',
  Webhooks: 'webhooks',
};

/**
 * Whether an API key may read stream keys. A stream key lets its holder publish, so the API key must be allowed to change
 * streams.
 */
export const canReadStreamKeys = (scopes: readonly string[]): boolean =>
  scopes.includes('all') || scopes.includes('streams');

function scopeRejection(
  scopes: readonly string[],
  { method, tag, operatorOnly }: EndpointAccess,
): string | null {
  if (scopes.includes('all')) return null;
  const requiredScope = scopeOfTag[tag];
  if (requiredScope && scopes.includes(requiredScope)) return null;
  const isRead = method === 'GET' && !operatorOnly;
  if (isRead && scopes.includes('read')) return null;
  const sufficientScopes = [...(isRead ? ['read'] : []), ...(requiredScope ? [requiredScope] : []), 'all'];
  return `the API key lacks the scope for this: it needs ${sufficientScopes.join(' or ')}`;
}

/** The minimum role that may create a key with these scopes. */
export const minRoleForKey = (scopes: readonly string[]): TeamRole =>
  scopes.includes('all') ? 'admin' : 'developer';

/**
 * Why a key is disabled. `creator_left`: the person who created it left the team. `creator_role`: that person now has a
 * lower role than the key needs.
 */
export const keyDisabledReasons = ['creator_left', 'creator_role'] as const;
export type KeyDisabledReason = (typeof keyDisabledReasons)[number];

export interface KeyCreation {
  /** Id of the account that created the key; null if the operator of the server created it. */
  readonly createdBy: string | null;
  /**
   * Current role of the creator in the team; null if the creator is no longer a member, or if the account is suspended or
   * deleted.
   */
  readonly creatorRole: TeamRole | null;
  readonly scopes: readonly string[];
}

/**
 * Why a key is disabled; null if it is enabled. A key must not have more power than the person who created it, because that
 * person knows its secret.
 */
export function keyDisabledReason({ createdBy, creatorRole, scopes }: KeyCreation): KeyDisabledReason | null {
  if (createdBy === null) return null;
  if (creatorRole === null) return 'creator_left';
  return isAtLeast(creatorRole, minRoleForKey(scopes)) ? null : 'creator_role';
}

/** Error message of a request with a disabled key. */
export const disabledKeyMessages: Readonly<Record<KeyDisabledReason, string>> = {
  creator_left:
    'the API key is disabled: the person who created it is no longer in the team. Create a new key',
  creator_role:
    'the API key is disabled: the role of the person who created it was lowered. Create a new key',
};

export interface KeyAccess {
  /** Web origins that may use the key; empty for a key that only servers may use. */
  readonly allowedOrigins: readonly string[];
  /** Whether web pages may call every endpoint with the key, also those without `corsKeyAllowed`. */
  readonly fullAccess: boolean;
  readonly scopes: readonly string[];
}

export interface KeyDecision {
  /** The error message (403); null if the call is allowed. */
  readonly rejection: string | null;
  /**
   * The header Access-Control-Allow-Origin of a successful response; null for no header. Error responses can be read by
   * every page.
   */
  readonly allowOrigin: string | null;
}

/** Whether a key is for web pages and may call only the endpoints with `corsKeyAllowed`. */
export const isRestrictedKey = ({ allowedOrigins, fullAccess }: KeyAccess): boolean =>
  allowedOrigins.length > 0 && !fullAccess;

/**
 * Decides whether a valid API key may call an endpoint.
 * @param origin the Origin header; null if the caller is not a web page
 */
export function decideKeyAccess(
  key: KeyAccess,
  endpoint: EndpointAccess,
  origin: string | null,
): KeyDecision {
  const isCorsKey = key.allowedOrigins.length > 0;
  if (origin !== null && !(isCorsKey && isAllowedOrigin(key.allowedOrigins, origin))) {
    return {
      rejection: `credential disallows CORS access from origin ${truncateOrigin(origin)}`,
      allowOrigin: null,
    };
  }
  return { rejection: findRejection(key, endpoint), allowOrigin: origin };
}

function findRejection(key: KeyAccess, endpoint: EndpointAccess): string | null {
  if (endpoint.auth === 'session') return 'access forbidden for API keys: use the dashboard';
  if (isRestrictedKey(key) && !endpoint.corsKeyAllowed) {
    return 'access forbidden for CORS-enabled API key with restricted access';
  }
  return scopeRejection(key.scopes, endpoint);
}

/** Cuts an Origin header for the error message. Its length is chosen by the client. */
function truncateOrigin(origin: string): string {
  return origin.slice(0, 200);
}
