import { recordAudit } from '@/lib/domain/audit';
import { type TeamContext, transact } from '@/lib/domain/context';
import type { Webhook, WebhookBody } from '@/lib/contract/webhooks/webhook';
import { ignoredOptionWarnings } from '@/lib/core/assets/ignored-options';
import { AppError, notFound } from '@/lib/core/errors';
import { newId, newWebhookSecret } from '@/lib/infra/ids';
import { requireStream, checkUrl, sealSecret, requireWebhook } from './internal';
import { serializeWebhook } from './serialize';

const MAX_WEBHOOKS_PER_TEAM = 50;

/**
 * Registers a webhook. A secret is generated if the body has none.
 * @throws AppError `invalid` (url, streamId), `conflict` above 50 webhooks
 */
export async function createWebhook(
  ctx: TeamContext,
  body: WebhookBody,
): Promise<Webhook & { warnings?: string[] }> {
  const { teamId } = ctx.actor;
  const { name, url, events, streamId = null, disabled = false } = body;
  checkUrl(ctx, url);
  const id = newId();
  const sealedSecret = sealSecret(ctx, id, body.sharedSecret ?? newWebhookSecret());
  return transact(ctx, async (tx) => {
    // Locks the team, so that concurrent calls cannot exceed the limit.
    await tx.db.$queryRaw`select 1 from "Team" where "id" = ${teamId}::uuid for no key update`;
    if ((await tx.db.webhook.count({ where: { teamId, deletedAt: null } })) >= MAX_WEBHOOKS_PER_TEAM) {
      throw new AppError('conflict', `a team can have ${MAX_WEBHOOKS_PER_TEAM} webhooks: delete one first`);
    }
    await requireStream(tx, streamId);
    const row = await tx.db.webhook.create({
      data: {
        id,
        teamId,
        name,
        url,
        events,
        streamId,
        disabled,
        secretSealed: sealedSecret,
        createdAt: ctx.clock.now(),
      },
    });
    await recordAudit(tx, { action: 'webhook.created', objectId: id });
    return { ...serializeWebhook(row), ...ignoredOptionWarnings(body) };
  });
}

/**
 * Deletes a webhook: its log is hidden and nothing more is delivered. The row is only marked as deleted; `expireWebhookLog`
 * deletes its log and its pending deliveries, because there may be too many for one request.
 * @returns the webhook before its deletion
 * @throws AppError `not_found`
 */
export async function deleteWebhook(ctx: TeamContext, id: string): Promise<Webhook> {
  return transact(ctx, async (tx) => {
    const deletedWebhook = serializeWebhook(await requireWebhook(tx, id));
    const { count } = await tx.db.webhook.updateMany({
      where: { id, teamId: ctx.actor.teamId, deletedAt: null },
      data: { deletedAt: ctx.clock.now() },
    });
    if (count === 0) throw notFound();
    await recordAudit(tx, { action: 'webhook.deleted', objectId: id });
    return deletedWebhook;
  });
}
