import { notFound } from '@/lib/core/errors';
import { recordAudit } from '@/lib/domain/audit';
import { transact, type TeamContext } from '@/lib/domain/context';
import type { BodyOf } from '@/lib/contract/define-endpoint';
import type { Webhook as WebhookObject, WebhookBody } from '@/lib/contract/webhooks/webhook';
import type { updateWebhook as updateWebhookEndpoint } from '@/lib/contract/webhooks/webhook-endpoints';
import { ignoredOptionWarnings } from '@/lib/core/assets/ignored-options';
import type { Prisma, Webhook } from '@/lib/generated/prisma/client';
import { checkStream, checkUrl, newSecretColumns, requireWebhook } from './internal';
import { serializeWebhook } from './serialize';
import { omitUndefined } from '@/lib/core/omit-undefined';

type WebhookChange = BodyOf<typeof updateWebhookEndpoint>;

/**
 * Replaces all writable fields. Omitted fields get their default, except the secret, which is kept. A replaced secret
 * stays valid for 24 hours.
 * @throws AppError `not_found`, `invalid` (url, streamId)
 */
export async function replaceWebhook(
  ctx: TeamContext,
  { id, body }: { readonly id: string; readonly body: WebhookBody },
): Promise<WebhookObject & { warnings?: string[] }> {
  const webhook = await changeWebhook(ctx, id, { streamId: null, disabled: false, ...body });
  return { ...webhook, ...ignoredOptionWarnings(body) };
}

/**
 * Changes the fields in the body and keeps the others.
 * @throws AppError `not_found`, `invalid` (url, streamId)
 */
export async function updateWebhook(
  ctx: TeamContext,
  { id, body }: { readonly id: string; readonly body: WebhookChange },
): Promise<void> {
  await changeWebhook(ctx, id, body);
}

async function changeWebhook(ctx: TeamContext, id: string, body: WebhookChange): Promise<WebhookObject> {
  return transact(ctx, async (tx) => {
    const row = await requireWebhook(tx, id);
    const { streamId: previousStreamId } = row;
    if (body.url !== undefined) checkUrl(tx, body.url);
    // An unchanged id is accepted even if its stream was deleted, so that a client can send back what it read.
    if (body.streamId !== undefined && body.streamId !== previousStreamId)
      await checkStream(tx, body.streamId);
    const data = columnsOf(tx, row, body);
    if (Object.keys(data).length > 0) {
      const where = { id, teamId: tx.actor.teamId, deletedAt: null };
      if ((await tx.db.webhook.updateMany({ where, data })).count === 0) throw notFound();
      await recordAudit(tx, { action: 'webhook.updated', objectId: id });
    }
    return serializeWebhook(await requireWebhook(tx, id));
  });
}

/** Columns for the fields in the body. Enabling or disabling a webhook clears its failures. */
function columnsOf(
  ctx: TeamContext,
  row: Webhook,
  body: WebhookChange,
): Prisma.WebhookUncheckedUpdateManyInput {
  const { name, url, events, streamId, disabled, sharedSecret } = body;
  return {
    ...omitUndefined({ name }),
    ...omitUndefined({ url }),
    ...omitUndefined({ events }),
    ...omitUndefined({ streamId }),
    ...(disabled === undefined ? {} : { disabled, disabledReason: null, failingSince: null, givenUp: 0 }),
    ...(sharedSecret === undefined ? {} : newSecretColumns(ctx, row, sharedSecret)),
  };
}
