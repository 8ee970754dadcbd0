import type { AccountTransaction } from './internal';

/**
 * Serializes the creation of tasks per account until this transaction ends, so that counts read after this call stay
 * true. Other writes of the account are not blocked.
 */
export async function lockAccount(tx: AccountTransaction): Promise<void> {
  await tx.db.$queryRaw`select 1 from "Account" where "id" = ${tx.actor.userId}::uuid for no key update`;
}
