import type { AccountContext } from '@/lib/context';
import type { Transaction } from '@/lib/infra/db';

/** A verb inside its transaction. */
export type AccountTransaction = AccountContext & { readonly db: Transaction };
