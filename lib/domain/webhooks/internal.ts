import { DAY_MS } from '@/lib/core/units';
import type { TeamContext } from '@/lib/domain/context';
import { AppError, notFound } from '@/lib/core/errors';
import type { Webhook, WebhookAttempt } from '@/lib/generated/prisma/client';
import { createEgressPolicy } from '@/lib/infra/egress/egress-policy';

/**
 * A webhook of the team.
 * @throws AppError `not_found` for a missing or deleted webhook, or one of another team
 */
export async function requireWebhook(ctx: TeamContext, id: string): Promise<Webhook> {
  const where = { id, teamId: ctx.actor.teamId, deletedAt: null };
  const webhook = await ctx.db.webhook.findFirst({ where });
  if (!webhook) throw notFound();
  return webhook;
}

/**
 * A log entry of a webhook of the team.
 * @throws AppError `not_found`, including for an entry of another webhook
 */
export async function requireAttempt(
  ctx: TeamContext,
  { id, logId }: { readonly id: string; readonly logId: string },
): Promise<WebhookAttempt> {
  const where = { id: logId, webhookId: id, teamId: ctx.actor.teamId };
  const attempt = await ctx.db.webhookAttempt.findFirst({ where });
  if (!attempt) throw notFound();
  return attempt;
}

/**
 * Rejects the URL of a private or local address unless the operator allows it. Host names are resolved and checked at each
 * delivery.
 * @throws AppError `invalid`
 */
export function checkUrl({ settings }: TeamContext, url: string): void {
  const { hostname } = new URL(url);
  if (createEgressPolicy(settings.egressAllowCidrs).allowsHost(hostname)) return;
  throw new AppError('invalid', {
    field: 'url',
    message:
      'must be a public address. The operator can allow private and local ones with EGRESS_ALLOW_CIDRS.',
  });
}

/**
 * Checks that the stream is a parent stream of the team.
 * @throws AppError `invalid` for a missing or deleted stream, or one of another team
 */
export async function checkStream(ctx: TeamContext, streamId: string | null): Promise<void> {
  if (streamId === null) return;
  const where = { id: streamId, teamId: ctx.actor.teamId, parentId: null, deletedAt: null };
  if ((await ctx.db.stream.count({ where })) === 0) {
    throw new AppError('invalid', {
      field: 'streamId',
      message: 'must be the id of a parent stream of this team',
    });
  }
}

/** Encrypts a secret, which can only be decrypted with the same team and webhook id. */
export function sealSecret(ctx: TeamContext, id: string, secret: string): Buffer<ArrayBuffer> {
  return ctx.secrets.seal({ kind: 'webhook-secret', id, teamId: ctx.actor.teamId }, secret);
}

/** Period in which deliveries are also signed with the previous secret, so that receivers can switch. */
const SECRET_OVERLAP_MS = DAY_MS;

/** The columns of a new secret; empty if the secret does not change. */
export function newSecretColumns(ctx: TeamContext, webhook: Webhook, secret: string) {
  const { id, teamId, secretSealed } = webhook;
  const currentSecret = ctx.secrets.open({ kind: 'webhook-secret', id, teamId }, secretSealed);
  if (currentSecret === secret) return {};
  return {
    secretSealed: sealSecret(ctx, id, secret),
    secretPreviousSealed: secretSealed,
    secretPreviousUntil: new Date(ctx.clock.now().getTime() + SECRET_OVERLAP_MS),
  };
}

/**
 * An enabled webhook of the team.
 * @throws AppError `not_found`, `conflict` if it is disabled
 */
export async function requireEnabledWebhook(ctx: TeamContext, id: string): Promise<Webhook> {
  const webhook = await requireWebhook(ctx, id);
  if (webhook.disabled) throw new AppError('conflict', 'the webhook is disabled: enable it first');
  return webhook;
}
