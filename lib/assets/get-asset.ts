import type { AccountContext } from '@/lib/context';
import type { Asset } from '@/lib/contract/asset';
import { assetOf } from './internal';
import { serializeAsset } from './serialize';

/** @throws AppError `not_found` */
export async function getAsset(ctx: AccountContext, id: string): Promise<Asset> {
  return serializeAsset(await assetOf(ctx, id), ctx.settings);
}
