import { createAccount } from '@/lib/domain/accounts';
import { createApiKey } from '@/lib/domain/api-keys';
import { actingFor, withContext } from '@/scripts/cli/open-context';

export interface Credentials {
  email: string;
  password: string;
}

let credentialsCount = 0;

/** Creates the email address and password of a new account. Tests have their own accounts, so that they do not affect each other. */
export function newCredentials(): Credentials {
  credentialsCount += 1;
  return {
    email: `e2e-${process.pid}-${Date.now()}-${credentialsCount}@example.com`,
    password: 'quiet river stones 42',
  };
}

/**
 * Creates an account in the database of the running service, like the command `account:create`, but without the seconds
 * that the command takes to start. Sign-up over HTTP has a rate limit.
 */
export async function makeAccount(
  credentials: Credentials = newCredentials(),
): Promise<Credentials & { id: string }> {
  const { id } = await withContext((ctx) => createAccount(ctx, credentials));
  return { ...credentials, id };
}

/**
 * Creates an API key for backends in the personal team of an account, like the command `key:create`.
 * @returns the secret of the key
 */
export async function makeApiKey(accountId: string): Promise<string> {
  const input = { name: 'e2e', allowedOrigins: [], fullAccess: false };
  const { secret } = await withContext((ctx) => createApiKey(actingFor(ctx, accountId), input));
  return secret;
}
