import type { AccountContext } from '@/lib/context';
import type { MultistreamTarget } from '@/lib/contract/multistream';
import { targetOf } from './internal';
import { serializeTarget } from './serialize';

/** @throws AppError `not_found` */
export async function getTarget(ctx: AccountContext, id: string): Promise<MultistreamTarget> {
  return serializeTarget(await targetOf(ctx, id));
}
