import { recordAudit } from '@/lib/audit';
import { transact, type AccountContext } from '@/lib/context';
import type { Webhook, WebhookBody } from '@/lib/contract/webhook';
import { AppError } from '@/lib/core/errors';
import { newId, newWebhookSecret } from '@/lib/infra/ids';
import { checkStream, checkUrl, sealSecret } from './internal';
import { serializeWebhook } from './serialize';

const webhooksPerAccount = 50;

/**
 * Registers a webhook. A secret is generated when none is given.
 * @throws AppError `invalid` (url, streamId), `conflict` above 50 webhooks
 */
export async function createWebhook(ctx: AccountContext, body: WebhookBody): Promise<Webhook> {
  const { userId } = ctx.actor;
  const { name, url, events, streamId = null, disabled = false } = body;
  checkUrl(ctx, url);
  const id = newId();
  const secretSealed = sealSecret(ctx, id, body.sharedSecret ?? newWebhookSecret());
  return transact(ctx, async (tx) => {
    // One creation at a time for each account: otherwise two could both be the fiftieth.
    await tx.db.$queryRaw`select 1 from "Account" where "id" = ${userId}::uuid for no key update`;
    if ((await tx.db.webhook.count({ where: { userId, deletedAt: null } })) >= webhooksPerAccount) {
      throw new AppError('conflict', `an account can have ${webhooksPerAccount} webhooks: delete one first`);
    }
    await checkStream(tx, streamId);
    const row = await tx.db.webhook.create({
      data: { id, userId, name, url, events, streamId, disabled, secretSealed, createdAt: ctx.clock.now() },
    });
    await recordAudit(tx, { action: 'webhook.created', objectId: id });
    return serializeWebhook(row);
  });
}
