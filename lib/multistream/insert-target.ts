import { recordAudit } from '@/lib/audit';
import { targetNameOf } from '@/lib/core/target-rules';
import type { MultistreamTarget } from '@/lib/generated/prisma/client';
import { newId } from '@/lib/infra/ids';
import { checkUrl, type Tx } from './internal';

const longestName = 500;

/**
 * Writes a target of the actor, its url sealed; without a name (an empty one is none) it gets that of its host.
 * @param field name of the url in what the caller sent, for the sentence of a refusal
 * @throws AppError `invalid`
 */
export async function insertTarget(
  tx: Tx,
  target: { readonly url: string; readonly name?: string; readonly disabled?: boolean },
  field: string,
): Promise<MultistreamTarget> {
  checkUrl(tx, target.url, field);
  const { userId } = tx.actor;
  const id = newId();
  const row = await tx.db.multistreamTarget.create({
    data: {
      id,
      userId,
      name: target.name || targetNameOf(target.url).slice(0, longestName),
      urlSealed: tx.secrets.seal({ kind: 'target-url', id, userId }, target.url),
      disabled: target.disabled ?? false,
      createdAt: tx.clock.now(),
    },
  });
  await recordAudit(tx, { action: 'target.created', objectId: id });
  return row;
}
