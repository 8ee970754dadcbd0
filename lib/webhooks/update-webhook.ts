import { recordAudit } from '@/lib/audit';
import { transact, type AccountContext } from '@/lib/context';
import type { BodyOf } from '@/lib/contract/define-endpoint';
import type { Webhook, WebhookBody } from '@/lib/contract/webhook';
import type { updateWebhook as endpoint } from '@/lib/contract/webhook-endpoints';
import type { Prisma } from '@/lib/generated/prisma/client';
import { checkStream, checkUrl, notFound, sealSecret, webhookOf } from './internal';
import { serializeWebhook } from './serialize';

type Change = BodyOf<typeof endpoint>;

/**
 * Replaces everything that can be set; what is left out gets its default, but the secret stays unless
 * another one is given (specification §4.6, api-contract §1 row 7 and §4.6).
 * @throws AppError `not_found`, `invalid` (url, streamId)
 */
export async function replaceWebhook(
  ctx: AccountContext,
  { id, body }: { readonly id: string; readonly body: WebhookBody },
): Promise<Webhook> {
  return change(ctx, id, { streamId: null, disabled: false, ...body });
}

/**
 * Changes what the body names and keeps the rest (api-contract §13, decision 12).
 * @throws AppError `not_found`, `invalid` (url, streamId)
 */
export async function updateWebhook(
  ctx: AccountContext,
  { id, body }: { readonly id: string; readonly body: Change },
): Promise<void> {
  await change(ctx, id, body);
}

async function change(ctx: AccountContext, id: string, body: Change): Promise<Webhook> {
  return transact(ctx, async (tx) => {
    const { streamId: before } = await webhookOf(tx, id);
    if (body.url !== undefined) checkUrl(tx, body.url);
    // The stream of a webhook may be gone by now; what was read can still be sent back.
    if (body.streamId !== undefined && body.streamId !== before) await checkStream(tx, body.streamId);
    const data = columnsOf(tx, id, body);
    if (Object.keys(data).length > 0) {
      const where = { id, userId: tx.actor.userId, deletedAt: null };
      if ((await tx.db.webhook.updateMany({ where, data })).count === 0) throw notFound();
      await recordAudit(tx, { action: 'webhook.updated', objectId: id });
    }
    return serializeWebhook(await webhookOf(tx, id));
  });
}

function columnsOf(ctx: AccountContext, id: string, body: Change): Prisma.WebhookUncheckedUpdateManyInput {
  const { name, url, events, streamId, disabled, sharedSecret } = body;
  return {
    ...(name === undefined ? {} : { name }),
    ...(url === undefined ? {} : { url }),
    ...(events === undefined ? {} : { events }),
    ...(streamId === undefined ? {} : { streamId }),
    ...(disabled === undefined ? {} : { disabled }),
    ...(sharedSecret === undefined ? {} : { secretSealed: sealSecret(ctx, id, sharedSecret) }),
  };
}
