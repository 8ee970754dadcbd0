import { originAllowed } from './origin';

/** Who may call an endpoint; part of its definition (lib/contract/define-endpoint.ts). */
export interface EndpointAccess {
  readonly auth: 'key-or-session' | 'session' | 'public';
  /** Whether CORS-enabled keys without full access may call this endpoint. */
  readonly corsKeyAllowed: boolean;
}

export interface KeyAccess {
  /** Empty = backend key. */
  readonly allowedOrigins: readonly string[];
  readonly fullAccess: boolean;
}

export interface KeyDecision {
  /** The error message (403); null if the call is allowed. */
  readonly refusal: string | null;
  /** Value of Access-Control-Allow-Origin, also on the errors that follow; null = none. */
  readonly allowOrigin: string | null;
}

/**
 * What a valid API key may do here.
 * @param origin the Origin header as sent; null when the caller is no browser page
 */
export function decideKey(key: KeyAccess, endpoint: EndpointAccess, origin: string | null): KeyDecision {
  const corsKey = key.allowedOrigins.length > 0;
  if (origin !== null && !(corsKey && originAllowed(key.allowedOrigins, origin))) {
    return {
      refusal: `credential disallows CORS access from origin ${printable(origin)}`,
      allowOrigin: null,
    };
  }
  return { refusal: refusalOf(key, corsKey, endpoint), allowOrigin: origin };
}

function refusalOf(key: KeyAccess, corsKey: boolean, endpoint: EndpointAccess): string | null {
  if (endpoint.auth === 'session') return 'access forbidden for API keys: use the dashboard';
  if (corsKey && !key.fullAccess && !endpoint.corsKeyAllowed) {
    return 'access forbidden for CORS-enabled API key with restricted access';
  }
  return null;
}

function printable(origin: string): string {
  return origin.slice(0, 200);
}
