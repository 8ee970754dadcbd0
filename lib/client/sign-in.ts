import { signIn } from 'next-auth/react';
import type { Credentials } from '@/components/auth/credentials-form';

/** Why no session was opened: the server's own sentence, or a case without one. */
export type Refusal = 'wrong' | 'unavailable' | 'unreachable' | { readonly sentence: string };

/** Names of the library for cases in which the server says nothing. */
const known: Readonly<Record<string, Refusal>> = { CredentialsSignin: 'wrong', Configuration: 'unavailable' };

/** Opens a browser session. Resolves to null when it worked. */
export async function openSession({ email, password }: Credentials): Promise<Refusal | null> {
  try {
    const result = await signIn('credentials', { email, password, redirect: false });
    if (result?.ok && !result.error) return null;
    const error = result?.error ?? 'CredentialsSignin';
    return known[error] ?? { sentence: error };
  } catch {
    return 'unreachable';
  }
}

/** Sends the browser to the issuer; it comes back to `next`, or to the log-in page with a reason. */
export async function continueAtIssuer(next: string): Promise<Refusal | null> {
  try {
    await signIn('oidc', { callbackUrl: next });
    return null;
  } catch {
    return 'unreachable';
  }
}
