import { MINUTE_MS } from '@/lib/core/units';
import { signIn } from 'next-auth/react';
import { stepsOfErrorCode, type SecondStep } from '@/lib/core/accounts/sign-in-steps';

/** Input of the sign-in and sign-up forms. */
export interface Credentials {
  email: string;
  password: string;
}

/** Why a sign-in failed: a message of the server, a known reason without a message, or a missing second step. */
export type SignInRejection =
  | 'wrong'
  | 'unavailable'
  | 'unreachable'
  | { readonly message: string }
  | { readonly steps: readonly SecondStep[] };

/** Error codes of next-auth for cases without a message of the server. */
const rejectionsByCode: Readonly<Record<string, SignInRejection>> = {
  CredentialsSignin: 'wrong',
  Configuration: 'unavailable',
};

/** Signs in with email and password. Resolves to null on success. */
export const signInWithPassword = ({ email, password }: Credentials): Promise<SignInRejection | null> =>
  submitSignIn({ email, password });

/**
 * Completes a sign-in with the code that is its second step. Resolves to null on success.
 * @param code six digits of an authenticator app, or a recovery code, as typed
 */
export const signInWithCode = (code: string): Promise<SignInRejection | null> => submitSignIn({ code });

async function submitSignIn(credentials: Record<string, string>): Promise<SignInRejection | null> {
  try {
    const result = await signIn('credentials', { ...credentials, redirect: false });
    if (result?.ok && !result.error) return null;
    const error = result?.error ?? 'CredentialsSignin';
    const steps = stepsOfErrorCode(error);
    return steps ? { steps } : (rejectionsByCode[error] ?? { message: error });
  } catch {
    return 'unreachable';
  }
}

const loadWebAuthn = () => import('@simplewebauthn/browser');

interface PasskeySignInOptions {
  /** Whether the passkey is the second step; it must then belong to the account whose password was entered. */
  readonly second?: boolean;
  /** The browser offers passkeys in the email field for as long as the page is open. */
  readonly autofill?: boolean;
}

/** Whether the user closed the browser's dialog or let it expire, or another request closed it. */
const isCancellation = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'NotAllowedError' || error.name === 'AbortError');

/** Whether the browser shows its passkey dialog: another request would close the dialog. */
let isDialogOpen = false;

/**
 * Signs in with a passkey. Resolves to null on success, to `cancelled` if the browser returned no passkey,
 * for example because the user cancelled.
 */
export async function signInWithPasskey({
  second = false,
  autofill = false,
}: PasskeySignInOptions): Promise<SignInRejection | 'cancelled' | null> {
  let startAuthentication: Awaited<ReturnType<typeof loadWebAuthn>>['startAuthentication'];
  let optionsJSON: Parameters<typeof startAuthentication>[0]['optionsJSON'];
  try {
    ({ startAuthentication } = await loadWebAuthn());
    const response = await fetch(`/api/auth/passkey-options${second ? '?second' : ''}`, {
      cache: 'no-store',
    });
    if (!response.ok) return 'unavailable';
    optionsJSON = (await response.json()) as typeof optionsJSON;
  } catch {
    return 'unreachable';
  }
  let passkey: string;
  isDialogOpen = !autofill;
  try {
    passkey = JSON.stringify(await startAuthentication({ optionsJSON, useBrowserAutofill: autofill }));
  } catch (error) {
    return isCancellation(error) ? 'cancelled' : 'unavailable';
  } finally {
    isDialogOpen = false;
  }
  return submitSignIn({ passkey, ...(second ? { second: 'true' } : {}) });
}

/** Interval between offers, shorter than the lifetime of a challenge of the server. */
const OFFER_INTERVAL_MS = 4 * MINUTE_MS;

/**
 * Lets the browser offer passkeys in the email field, if it supports that.
 * @param onEnd called after a sign-in with a passkey, with the rejection or null
 * @returns a function that ends the offer
 */
export function offerPasskeys(onEnd: (rejection: SignInRejection | null) => void): () => void {
  const controller = new AbortController();
  const isEnded = () => controller.signal.aborted;
  const offer = async () => {
    const { browserSupportsWebAuthnAutofill } = await loadWebAuthn();
    if (isEnded() || isDialogOpen || !(await browserSupportsWebAuthnAutofill())) return;
    const outcome = await signInWithPasskey({ autofill: true });
    const isUnavailable = outcome === 'cancelled' || outcome === 'unreachable' || outcome === 'unavailable';
    if (!isEnded() && !isUnavailable) onEnd(outcome);
  };
  // Without its code, passkeys are not offered; the form works without them.
  const ignoreError = () => undefined;
  void offer().catch(ignoreError);
  const timer = setInterval(() => void offer().catch(ignoreError), OFFER_INTERVAL_MS);
  return () => {
    controller.abort();
    clearInterval(timer);
    void loadWebAuthn()
      .then(({ WebAuthnAbortService }) => WebAuthnAbortService.cancelCeremony())
      .catch(ignoreError);
  };
}

/**
 * Creates a passkey in this browser.
 * @param options WebAuthn creation options from the server
 * @returns the passkey for the server; `known` if the authenticator already has one of this account; null if the browser
 * created none
 */
export async function createPasskey(options: object): Promise<object | 'known' | null> {
  const { startRegistration, WebAuthnError } = await loadWebAuthn();
  try {
    return await startRegistration({
      optionsJSON: options as Parameters<typeof startRegistration>[0]['optionsJSON'],
    });
  } catch (error) {
    return error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED'
      ? 'known'
      : null;
  }
}

/** Sends the browser to the issuer, which returns to `next`, or to the sign-in page with an error code. */
export async function continueAtIssuer(next: string): Promise<SignInRejection | null> {
  try {
    await signIn('oidc', { callbackUrl: next });
    return null;
  } catch {
    return 'unreachable';
  }
}
