import type { TeamContext } from '@/lib/domain/context';
import type { Transaction } from '@/lib/infra/db';

/** A verb inside its transaction. */
export type TeamTransaction = TeamContext & { readonly db: Transaction };
