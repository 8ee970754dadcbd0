import type { Actor, Context } from '@/lib/domain/context';

/** An action, named by its object and a past participle. Actions are stored, so they must not be renamed. */
export type AuditAction =
  | 'account.created'
  | 'account.deleted'
  | 'account.email-changed'
  | 'account.factors-reset'
  | 'account.identity-linked'
  | 'account.passkey-added'
  | 'account.passkey-removed'
  | 'account.password-changed'
  | 'account.password-reset'
  | 'account.recovery-code-used'
  | 'account.recovery-codes-replaced'
  | 'account.reset-link-created'
  | 'account.reset-link-requested'
  | 'account.second-step-asked'
  | 'account.session-ended'
  | 'account.sessions-ended'
  | 'account.suspended'
  | 'account.unsuspended'
  | 'account.signed-in'
  | 'account.signed-in-with-oidc'
  | 'account.signed-in-with-passkey'
  | 'account.signed-out'
  | 'account.sign-in-refused'
  | 'account.target-url-tested'
  | 'account.totp-added'
  | 'account.totp-removed'
  | 'api-key.created'
  | 'api-key.deleted'
  | 'api-key.revealed'
  | 'brand.updated'
  | 'stream.pull-started'
  | 'stream.slate-picture-uploaded'
  | 'stream.slate-picture-deleted'
  | 'stream.poster-uploaded'
  | 'stream.poster-deleted'
  | 'asset.poster-uploaded'
  | 'asset.poster-deleted'
  | 'brand.logo-uploaded'
  | 'brand.logo-deleted'
  | 'team.created'
  | 'team.renamed'
  | 'team.deleted'
  | 'team.member-joined'
  | 'team.member-left'
  | 'team.member-removed'
  | 'team.role-changed'
  | 'team.invitation-created'
  | 'team.invitation-revoked'
  | 'operator.account-suspended'
  | 'operator.account-unsuspended'
  | 'operator.account-deleted'
  | 'operator.quotas-changed'
  | 'invitation.created'
  | 'invitation.revoked'
  | 'asset.created'
  | 'asset.updated'
  | 'asset.playback-policy-changed'
  | 'asset.exported'
  | 'asset.deleted'
  | 'asset.replaced'
  | 'asset.restored'
  | 'asset.track-added'
  | 'asset.transcription-requested'
  | 'asset.track-updated'
  | 'asset.track-deleted'
  | 'playback.token-revoked'
  | 'problem.dismissed'
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
  | 'stream.playback-policy-changed'
  | 'stream.deleted'
  | 'stream.terminated'
  | 'stream.key-rotated'
  | 'stream.backup-key-rotated'
  | 'stream.input-switched'
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

const MAX_USER_AGENT_LENGTH = 300;

/** What an audit log entry states besides its actor. */
export interface AuditFact {
  readonly action: AuditAction;
  /** Id of the object that the action changed, for example of a stream; absent for an action without an object. */
  readonly objectId?: string;
  /** Account that the action is about. The entry goes into the log of its personal team, which has the same id. */
  readonly userId?: string;
  /** Team of the entry, if it is not the actor's team. */
  readonly teamId?: string;
}

/**
 * Writes one audit log entry: actor, action, object and origin. Must be called in the transaction that makes the change,
 * so that neither exists without the other.
 */
export async function recordAudit(ctx: Context, fact: AuditFact): Promise<void> {
  const { actor } = ctx;
  await ctx.db.auditEntry.create({
    data: {
      ...teamAndPersonOf(actor, fact),
      actor: actorColumnOf(actor),
      action: fact.action,
      objectId: fact.objectId ?? null,
      ip: actor.kind === 'system' ? null : (actor.ip ?? null),
      userAgent: actor.kind === 'system' ? null : (actor.userAgent?.slice(0, MAX_USER_AGENT_LENGTH) ?? null),
      createdAt: ctx.clock.now(),
    },
  });
}

/**
 * Ids of the team whose log gets the entry, and of the person who acted.
 * @returns `teamId` is null for an entry that belongs to no team; `userId` is null for API keys, the service and the
 * operator's command line
 */
function teamAndPersonOf(actor: Actor, fact: AuditFact): { teamId: string | null; userId: string | null } {
  const teamActor = 'teamId' in actor ? actor : null;
  const isPerson = actor.kind === 'session' || actor.kind === 'anonymous';
  return {
    teamId: fact.teamId ?? fact.userId ?? teamActor?.teamId ?? null,
    userId: isPerson ? (fact.userId ?? teamActor?.userId ?? null) : null,
  };
}

/** Value of the column `actor`: `key:` and the id of the API key, or the kind of any other actor. */
function actorColumnOf(actor: Actor): string {
  return actor.kind === 'key' && actor.keyId ? `key:${actor.keyId}` : actor.kind;
}
