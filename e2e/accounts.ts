import { createAccount } from '@/lib/domain/accounts';
import { createApiKey } from '@/lib/domain/api-keys';
import { actingFor, withContext } from '@/scripts/cli/open-context';

export interface Person {
  email: string;
  password: string;
}

let count = 0;

/** A new account for each test, so that tests do not see each other. */
export function newPerson(): Person {
  count += 1;
  return {
    email: `e2e-${process.pid}-${Date.now()}-${count}@example.com`,
    password: 'quiet river stones 42',
  };
}

/**
 * Creates an account with the operator's command, in the database of the running service. Sign-up has a rate limit, and
 * starting the command itself takes seconds (api/webhooks.full.spec.ts).
 */
export async function makeAccount(person: Person = newPerson()): Promise<Person & { id: string }> {
  const { id } = await withContext((ctx) => createAccount(ctx, person));
  return { ...person, id };
}

/** Creates a backend key as the operator's command does. @returns the secret of the key */
export async function makeKey(accountId: string): Promise<string> {
  const input = { name: 'e2e', allowedOrigins: [], fullAccess: false };
  const { secret } = await withContext((ctx) => createApiKey(actingFor(ctx, accountId), input));
  return secret;
}
