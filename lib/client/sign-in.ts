import { signIn } from 'next-auth/react';
import type { Credentials } from '@/components/auth/credentials-form';

/** The server's own sentence comes as `error`; these are the library's names for two cases without one. */
const sentences: Record<string, string> = {
  CredentialsSignin: 'Wrong email or password',
  Configuration: 'Login is temporarily unavailable',
};

/** Opens a browser session. Resolves to the sentence of the refusal, null when it worked. */
export async function openSession({ email, password }: Credentials): Promise<string | null> {
  try {
    const result = await signIn('credentials', { email, password, redirect: false });
    if (result?.ok && !result.error) return null;
    return sentences[result?.error ?? ''] ?? result?.error ?? 'Wrong email or password';
  } catch {
    return 'Can’t reach the server. Check that it is running.';
  }
}
