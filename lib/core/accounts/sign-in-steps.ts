/** The steps of a sign-in, and the factors of an account that they require (ADR 43). */

/**
 * Methods of the second step, in the order in which the sign-in page offers them. `code`: a code of the authenticator app
 * (TOTP).
 */
const secondSteps = ['code', 'passkey', 'recovery-code'] as const;
export type SecondStep = (typeof secondSteps)[number];

export interface Factors {
  /** Whether the account has an authenticator app. */
  readonly hasTotp: boolean;
  readonly passkeyCount: number;
  /** Number of unused recovery codes. */
  readonly recoveryCodeCount: number;
}

/** The first step of a sign-in: a password, a passkey with user verification, or a sign-in at the issuer of OIDC_ISSUER. */
type FirstStep = 'password' | 'passkey' | 'issuer';

/**
 * The second steps that a person can choose from after the first step; empty if the sign-in is complete. A passkey counts as
 * two factors: the device, and its PIN or fingerprint. The issuer is responsible for the second factors of its accounts.
 */
export function missingSteps(firstStep: FirstStep, factors: Factors): readonly SecondStep[] {
  if (firstStep !== 'password' || !hasSecondFactor(factors)) return [];
  const available: Readonly<Record<SecondStep, boolean>> = {
    code: factors.hasTotp,
    passkey: factors.passkeyCount > 0,
    'recovery-code': factors.recoveryCodeCount > 0,
  };
  return secondSteps.filter((step) => available[step]);
}

/** Whether the account has a second factor, so that a password alone is not enough. Recovery codes alone are no factor. */
export const hasSecondFactor = ({
  hasTotp,
  passkeyCount,
}: Pick<Factors, 'hasTotp' | 'passkeyCount'>): boolean => hasTotp || passkeyCount > 0;

interface SignInSessionFacts {
  /** The setting REQUIRE_SECOND_FACTOR. */
  readonly requirement: 'off' | 'operators' | 'all';
  readonly isOperator: boolean;
  /** Whether the session was opened at the issuer of OIDC_ISSUER, which may have its own second factor. */
  readonly isIssuerSession: boolean;
}

/** Whether a person without a second factor must set one up before doing anything else. */
export const requiresFactorSetup = ({
  requirement,
  isOperator,
  isIssuerSession,
}: SignInSessionFacts): boolean =>
  !isIssuerSession && (requirement === 'all' || (requirement === 'operators' && isOperator));

const MISSING_STEPS_CODE = 'SecondStep';

/** Encodes the steps as an error code of the sign-in page: `SecondStep code recovery-code`. */
export const errorCodeOfSteps = (steps: readonly SecondStep[]): string =>
  [MISSING_STEPS_CODE, ...steps].join(' ');

/** The steps in an error code of the sign-in page; null for another code. */
export function stepsOfErrorCode(errorCode: string): readonly SecondStep[] | null {
  const [prefix, ...stepNames] = errorCode.split(' ');
  return prefix === MISSING_STEPS_CODE ? secondSteps.filter((step) => stepNames.includes(step)) : null;
}

/** Parses an authenticator code or a recovery code, with any spaces, dashes and letter case; null for any other text. */
export function readTypedCode(
  text: string,
): { readonly kind: 'code' | 'recovery-code'; readonly value: string } | null {
  const value = text.slice(0, 100).replaceAll(/[\s-]/g, '').toLowerCase();
  if (/^\d{6}$/.test(value)) return { kind: 'code', value };
  return /^[a-z2-7]{16}$/.test(value) ? { kind: 'recovery-code', value } : null;
}

/**
 * Formats a recovery code in four groups of four characters.
 * @param value 16 characters of base 32
 */
export const formatRecoveryCode = (value: string): string => value.replaceAll(/(.{4})(?!$)/g, '$1-');

export const RECOVERY_CODE_COUNT = 10;
export const MAX_PASSKEYS = 20;

/**
 * Period after which authenticator codes change. The previous and the next code are accepted as well, because
 * clocks differ.
 */
export const TOTP_STEP_SECONDS = 30;

/**
 * The time step of a code that is accepted. Null for a wrong code, and for a code whose step is not later than the last
 * accepted step: each code works once (RFC 6238, section 5.2).
 */
export function findAcceptedStep({
  nowMs,
  delta,
  lastStep,
}: {
  readonly nowMs: number;
  /** Number of time steps by which the code is later than now; null if the code is wrong. */
  readonly delta: number | null;
  /** Time step of the last accepted code: Unix time divided by TOTP_STEP_SECONDS. */
  readonly lastStep: number;
}): number | null {
  if (delta === null) return null;
  const step = Math.floor(nowMs / 1000 / TOTP_STEP_SECONDS) + delta;
  return step > lastStep ? step : null;
}

/**
 * Whether the signature counter of an authenticator did not rise, which means that it may have been copied. An authenticator
 * that does not count always sends 0 (WebAuthn, section 6.1.1).
 */
export const counterDidNotRise = (storedCounter: number, counter: number): boolean =>
  (storedCounter > 0 || counter > 0) && counter <= storedCounter;

/** The relying party id of passkeys; null where browsers offer no passkeys: without HTTPS, or on an IP address. */
export function relyingPartyIdOf(baseUrl: string): string | null {
  const { protocol, hostname } = new URL(baseUrl);
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return hostname;
  const isIpAddress = /^[\d.]+$|^\[/.test(hostname);
  return protocol === 'https:' && !isIpAddress ? hostname : null;
}
