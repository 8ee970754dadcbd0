import type { SignUpMode } from './invitation-state';

const oidcRejections = ['domain', 'suspended', 'unverified', 'no_account'] as const;
export type OidcRejection = (typeof oidcRejections)[number];

const oidcReasons = [...oidcRejections, 'away', 'failed', 'busy'] as const;
type OidcReason = (typeof oidcReasons)[number];

/** Reasons for the error codes of next-auth that have a message for visitors. */
const reasonsOfNextAuthCodes: Readonly<Record<string, OidcReason>> = {
  OAuthSignin: 'away',
  OAuthCallback: 'failed',
  Callback: 'failed',
};

/** Why a sign-in at the issuer failed, from the error code in the URL of the sign-in page; null for unknown codes. */
export const oidcReasonOf = (code: string): OidcReason | null =>
  oidcReasons.find((reason) => reason === code) ?? reasonsOfNextAuthCodes[code] ?? null;

interface OidcFacts {
  /** Email address in lower case; null if the issuer sends none. */
  readonly email: string | null;
  readonly emailVerified: boolean;
  readonly allowedDomains: readonly string[];
  readonly mode: SignUpMode;
  /** The account that is linked to the subject of the sign-in, or the account with its address; null if there is neither. */
  readonly account: { readonly linked: boolean; readonly suspended: boolean } | null;
  /** Whether an open invitation is for the address of the sign-in. */
  readonly invited: boolean;
}

type OidcAdmission = 'sign-in' | 'link' | 'create' | { readonly rejected: OidcRejection };

/**
 * Decides about a sign-in at the issuer. An address counts only if the issuer verified it. Domains are checked on every
 * sign-in, so that removing a domain locks its people out. A person of an allowed domain gets an account whatever the
 * setting SIGN_UP is (ADR 41).
 */
export function admitOidc(facts: OidcFacts): OidcAdmission {
  const { email, emailVerified, allowedDomains, mode, account, invited } = facts;
  const hasVerifiedEmail = email !== null && emailVerified;
  const hasDomainRule = allowedDomains.length > 0;
  if (!hasVerifiedEmail && (hasDomainRule || !account?.linked)) return { rejected: 'unverified' };
  if (hasDomainRule && !allowedDomains.includes(domainOf(email))) return { rejected: 'domain' };
  if (account?.suspended) return { rejected: 'suspended' };
  if (account) return account.linked ? 'sign-in' : 'link';
  return hasDomainRule || mode === 'open' || (mode === 'invite' && invited)
    ? 'create'
    : { rejected: 'no_account' };
}

const domainOf = (email: string | null): string => email?.slice(email.lastIndexOf('@') + 1) ?? '';
