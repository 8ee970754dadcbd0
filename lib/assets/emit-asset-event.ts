import type { EventName } from '@/lib/core/events';
import type { Asset } from '@/lib/generated/prisma/client';
import type { Transaction } from '@/lib/infra/db';
import type { Settings } from '@/lib/infra/env';
import { emitEvent } from '@/lib/webhooks';
import { serializeAsset } from './serialize';

/** Emits the event of an asset change, with the asset as it is now, in the transaction of the change. */
export async function emitAssetEvent(
  tx: { readonly db: Transaction; readonly settings: Settings },
  name: Extract<EventName, `asset.${string}`>,
  row: Asset,
): Promise<void> {
  const asset = { id: row.id, snapshot: serializeAsset(row, tx.settings) };
  await emitEvent(tx, { name, userId: row.userId, payload: { asset } });
}
