/** Steps of a sign-in: the factors of an account, and which of them are still required (ADR 43). */

/** Methods of the second step, in the order in which a page offers them. */
const secondSteps = ['code', 'passkey', 'recovery-code'] as const;
export type SecondStep = (typeof secondSteps)[number];

export interface Factors {
  /** Whether the account has an authenticator app. */
  readonly totp: boolean;
  readonly passkeys: number;
  /** Number of unused codes. */
  readonly recoveryCodes: number;
}

/** A password, a passkey with user verification, or a sign-in at the issuer of OIDC_ISSUER. */
type FirstStep = 'password' | 'passkey' | 'issuer';

/**
 * The steps that a sign-in needs after the first one; empty: complete. A passkey is two factors: the device, and its PIN
 * or fingerprint. The issuer is responsible for second factors of its accounts.
 */
export function missingSteps(first: FirstStep, factors: Factors): readonly SecondStep[] {
  if (first !== 'password' || !hasFactor(factors)) return [];
  const available: Readonly<Record<SecondStep, boolean>> = {
    code: factors.totp,
    passkey: factors.passkeys > 0,
    'recovery-code': factors.recoveryCodes > 0,
  };
  return secondSteps.filter((step) => available[step]);
}

/** Whether a password alone is not enough. Recovery codes alone are no factor. */
export const hasFactor = ({ totp, passkeys }: Pick<Factors, 'totp' | 'passkeys'>): boolean =>
  totp || passkeys > 0;

interface SessionFacts {
  /** REQUIRE_SECOND_FACTOR. */
  readonly required: 'off' | 'operators' | 'all';
  readonly operator: boolean;
  /** Whether the session was opened at the issuer of OIDC_ISSUER, which may have its own second factor. */
  readonly byIssuer: boolean;
}

/** Whether a session must set up a second factor before anything else. */
export const needsFactor = ({ required, operator, byIssuer }: SessionFacts): boolean =>
  !byIssuer && (required === 'all' || (required === 'operators' && operator));

const failure = 'SecondStep';

/** Encodes the steps as an error code of the log-in page: `SecondStep code recovery-code`. */
export const errorCodeOfSteps = (steps: readonly SecondStep[]): string => [failure, ...steps].join(' ');

/** The steps in an error code of the log-in page; null for another code. */
export function stepsOfErrorCode(errorCode: string): readonly SecondStep[] | null {
  const [first, ...stepNames] = errorCode.split(' ');
  return first === failure ? secondSteps.filter((step) => stepNames.includes(step)) : null;
}

/** Reads an authenticator code or a recovery code in any spelling; null for anything else. */
export function readTypedCode(
  text: string,
): { readonly kind: 'code' | 'recovery-code'; readonly value: string } | null {
  const value = text.slice(0, 100).replaceAll(/[\s-]/g, '').toLowerCase();
  if (/^\d{6}$/.test(value)) return { kind: 'code', value };
  return /^[a-z2-7]{16}$/.test(value) ? { kind: 'recovery-code', value } : null;
}

/** Formats a recovery code in four groups of four. @param value 16 characters of base 32 */
export const spellRecoveryCode = (value: string): string => value.replaceAll(/(.{4})(?!$)/g, '$1-');

export const recoveryCodeCount = 10;
export const maxPasskeys = 20;

/** Authenticator codes change after this period; the previous and the next code are accepted, for slow clocks. */
export const totpStepSeconds = 30;

/**
 * The time step of an accepted code, from the current step and the offset of the code. Null for a step that is not later
 * than the last accepted one: each code works once (RFC 6238, section 5.2).
 */
export function acceptedStep({
  nowMs,
  delta,
  lastStep,
}: {
  readonly nowMs: number;
  /** Null: the code is wrong. */
  readonly delta: number | null;
  readonly lastStep: number;
}): number | null {
  if (delta === null) return null;
  const step = Math.floor(nowMs / 1000 / totpStepSeconds) + delta;
  return step > lastStep ? step : null;
}

/**
 * Whether an authenticator counted fewer signatures than before, which means it may have been copied. 0 on both sides:
 * the authenticator does not count (WebAuthn, section 6.1.1).
 */
export const counterWentBack = (storedCounter: number, counter: number): boolean =>
  (storedCounter > 0 || counter > 0) && counter <= storedCounter;

/** The relying party id of passkeys; null where browsers offer none: without https, or on an IP address. */
export function passkeyHost(baseUrl: string): string | null {
  const { protocol, hostname } = new URL(baseUrl);
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return hostname;
  const isAddress = /^[\d.]+$|^\[/.test(hostname);
  return protocol === 'https:' && !isAddress ? hostname : null;
}
