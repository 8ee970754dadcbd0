import type { SignUpMode } from './invitation-state';

const oidcRefusals = ['domain', 'suspended', 'unverified', 'no_account'] as const;
export type OidcRefusal = (typeof oidcRefusals)[number];

const reasons = [...oidcRefusals, 'away', 'failed', 'busy'] as const;
type OidcReason = (typeof reasons)[number];

/** Codes of next-auth. Any other says nothing to the visitor. */
const codes: Readonly<Record<string, OidcReason>> = {
  OAuthSignin: 'away',
  OAuthCallback: 'failed',
  Callback: 'failed',
};

/** Why a sign-in at the issuer failed, from the address of the log-in page; null for anything unknown. */
export const oidcReasonOf = (code: string): OidcReason | null =>
  reasons.find((reason) => reason === code) ?? codes[code] ?? null;

interface OidcFacts {
  /** Null: the issuer names none. In lower case. */
  readonly email: string | null;
  readonly emailVerified: boolean;
  readonly allowedDomains: readonly string[];
  readonly mode: SignUpMode;
  /** The account that this subject is linked to, or the one with its address. */
  readonly account: { readonly linked: boolean; readonly suspended: boolean } | null;
  /** An open invitation of this address. */
  readonly invited: boolean;
}

type OidcAdmission = 'sign-in' | 'link' | 'create' | { readonly refused: OidcRefusal };

/**
 * What a sign-in at the issuer leads to. An address counts only if the issuer verified it. Domains are checked on every
 * sign-in, so that one which is taken from the list is out; being in one creates an account whatever SIGN_UP says (ADR 41).
 */
export function admitOidc(facts: OidcFacts): OidcAdmission {
  const { email, emailVerified, allowedDomains, mode, account, invited } = facts;
  const hasVerifiedEmail = email !== null && emailVerified;
  const hasDomainRule = allowedDomains.length > 0;
  if (!hasVerifiedEmail && (hasDomainRule || !account?.linked)) return { refused: 'unverified' };
  if (hasDomainRule && !allowedDomains.includes(domainOf(email))) return { refused: 'domain' };
  if (account?.suspended) return { refused: 'suspended' };
  if (account) return account.linked ? 'sign-in' : 'link';
  return hasDomainRule || mode === 'open' || (mode === 'invite' && invited)
    ? 'create'
    : { refused: 'no_account' };
}

const domainOf = (email: string | null): string => email?.slice(email.lastIndexOf('@') + 1) ?? '';
