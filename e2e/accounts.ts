import { createAccount } from '@/lib/domain/accounts';
import { createApiKey } from '@/lib/domain/api-keys';
import { actingFor, withContext } from '@/scripts/cli/open-context';

export interface Person {
  email: string;
  password: string;
}

let personCount = 0;

/** Creates email address and password of a new account. Tests have their own accounts, so that they do not affect each other. */
export function newPerson(): Person {
  personCount += 1;
  return {
    email: `e2e-${process.pid}-${Date.now()}-${personCount}@example.com`,
    password: 'quiet river stones 42',
  };
}

/**
 * Creates an account in the database of the running service, like the command `account:create`. Sign-up has a rate limit,
 * and the command takes seconds to start (api/webhooks.full.spec.ts runs the command).
 */
export async function makeAccount(person: Person = newPerson()): Promise<Person & { id: string }> {
  const { id } = await withContext((ctx) => createAccount(ctx, person));
  return { ...person, id };
}

/**
 * Creates a backend key of an account, like the command `key:create`.
 * @returns the secret of the key
 */
export async function makeKey(accountId: string): Promise<string> {
  const input = { name: 'e2e', allowedOrigins: [], fullAccess: false };
  const { secret } = await withContext((ctx) => createApiKey(actingFor(ctx, accountId), input));
  return secret;
}
