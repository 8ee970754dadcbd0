import type { AccountTransaction } from './internal';

/**
 * Until this transaction ends, no other one asks for work of the same account: what is counted or looked up
 * after this call is still true when the task is written. Other writes of the account go on.
 */
export async function takeTurn(tx: AccountTransaction): Promise<void> {
  await tx.db.$queryRaw`select 1 from "Account" where "id" = ${tx.actor.userId}::uuid for no key update`;
}
