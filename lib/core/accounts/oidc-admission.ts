import type { SignUpMode } from './invitation-state';

const oidcRejections = ['domain', 'suspended', 'unverified', 'no_account'] as const;
export type OidcRejection = (typeof oidcRejections)[number];

/** Rejections of this service, and failures of the sign-in: `away`: the issuer can't be reached; `busy`: too many attempts. */
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
  readonly account: { readonly isLinked: boolean; readonly isSuspended: boolean } | null;
  /** Whether an open invitation is for the address of the sign-in. */
  readonly isInvited: boolean;
}

type OidcAdmission = 'sign-in' | 'link' | 'create' | { readonly rejected: OidcRejection };

/**
 * Decides about a sign-in at the issuer. An address counts only if the issuer verified it. Domains are checked on every
 * sign-in, so that removing a domain locks its people out. A person of an allowed domain gets an account whatever the
 * setting SIGN_UP is (ADR 41).
 */
export function admitOidc(facts: OidcFacts): OidcAdmission {
  const { email, emailVerified, allowedDomains, mode, account, isInvited } = facts;
  const hasVerifiedEmail = email !== null && emailVerified;
  const hasDomainRule = allowedDomains.length > 0;
  if (!hasVerifiedEmail && (hasDomainRule || !account?.isLinked)) return { rejected: 'unverified' };
  if (hasDomainRule && !allowedDomains.includes(domainOf(email))) return { rejected: 'domain' };
  if (account?.isSuspended) return { rejected: 'suspended' };
  if (account) return account.isLinked ? 'sign-in' : 'link';
  return hasDomainRule || mode === 'open' || (mode === 'invite' && isInvited)
    ? 'create'
    : { rejected: 'no_account' };
}

const domainOf = (email: string | null): string => email?.slice(email.lastIndexOf('@') + 1) ?? '';
