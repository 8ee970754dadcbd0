import { recordAudit } from '@/lib/domain/audit';
import { type TeamContext, transact } from '@/lib/domain/context';
import type { Webhook, WebhookBody } from '@/lib/contract/webhooks/webhook';
import { ignoredOptionWarnings } from '@/lib/core/assets/ignored-options';
import { AppError } from '@/lib/core/errors';
import { newId, newWebhookSecret } from '@/lib/infra/ids';
import { checkStream, checkUrl, sealSecret } from './internal';
import { serializeWebhook } from './serialize';

const MAX_WEBHOOKS_PER_TEAM = 50;

/**
 * Registers a webhook. A secret is generated if the body has none.
 * @throws AppError `invalid` (url, streamId), `conflict` if the team already has the maximum number of webhooks
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
    await checkStream(tx, streamId);
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
