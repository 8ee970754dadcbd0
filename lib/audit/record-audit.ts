import type { Actor, Context } from '@/lib/context';

/** The action, as object and past tense. Stored, so don't rename existing ones. */
export type AuditAction =
  | 'account.created'
  | 'account.deleted'
  | 'account.email-changed'
  | 'account.identity-linked'
  | 'account.password-changed'
  | 'account.password-reset'
  | 'account.reset-link-created'
  | 'account.reset-link-requested'
  | 'account.sessions-ended'
  | 'account.suspended'
  | 'account.unsuspended'
  | 'account.signed-in'
  | 'account.signed-in-with-oidc'
  | 'account.signed-out'
  | 'account.sign-in-refused'
  | 'account.target-url-tested'
  | 'api-key.created'
  | 'api-key.deleted'
  | 'api-key.revealed'
  | 'brand.updated'
  | 'brand.logo-uploaded'
  | 'brand.logo-deleted'
  | 'operator.account-suspended'
  | 'operator.account-unsuspended'
  | 'operator.account-deleted'
  | 'invitation.created'
  | 'invitation.revoked'
  | 'asset.created'
  | 'asset.updated'
  | 'asset.exported'
  | 'asset.deleted'
  | 'asset.restored'
  | 'playback.token-revoked'
  | 'signing-key.created'
  | 'signing-key.renamed'
  | 'signing-key.disabled'
  | 'signing-key.enabled'
  | 'signing-key.deleted'
  | 'stream.created'
  | 'stream.updated'
  | 'stream.renamed'
  | 'stream.suspended'
  | 'stream.resumed'
  | 'stream.recording-switched-on'
  | 'stream.recording-switched-off'
  | 'stream.targets-changed'
  | 'stream.deleted'
  | 'stream.terminated'
  | 'stream.key-rotated'
  | 'stream.test-pattern-started'
  | 'stream.test-pattern-stopped'
  | 'node.drained'
  | 'node.undrained'
  | 'task.cancelled'
  | 'task.retried'
  | 'target.created'
  | 'target.updated'
  | 'target.deleted'
  | 'target.tested'
  | 'webhook.created'
  | 'webhook.updated'
  | 'webhook.deleted'
  | 'webhook.secret-revealed'
  | 'webhook.resent'
  | 'webhook.replayed'
  | 'webhook.tested'
  | 'webhook.secret-rolled'
  | 'webhook.switched-off';

export interface AuditFact {
  readonly action: AuditAction;
  readonly objectId?: string;
  /** Only if the actor has none: sign-up and sign-in. */
  readonly userId?: string;
}

/**
 * Writes one audit log entry: actor, action, object and origin. Call it inside the transaction of the change, so that
 * neither exists without the other.
 */
export async function recordAudit(ctx: Context, fact: AuditFact): Promise<void> {
  const { actor } = ctx;
  await ctx.db.auditEntry.create({
    data: {
      userId: fact.userId ?? ('userId' in actor ? actor.userId : null),
      actor: nameOf(actor),
      action: fact.action,
      objectId: fact.objectId ?? null,
      ip: actor.kind === 'system' ? null : (actor.ip ?? null),
      userAgent: actor.kind === 'system' ? null : (actor.userAgent?.slice(0, 300) ?? null),
      createdAt: ctx.clock.now(),
    },
  });
}

function nameOf(actor: Actor): string {
  return actor.kind === 'key' && actor.keyId ? `key:${actor.keyId}` : actor.kind;
}
