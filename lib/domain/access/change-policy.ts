import { isDeepStrictEqual } from 'node:util';
import type { TeamContext, InTransaction } from '@/lib/domain/context';
import type { PlaybackPolicyInput } from '@/lib/contract/access/playback-policy';
import { hasCountryLimit } from '@/lib/core/access/playback-policy';
import { AppError } from '@/lib/core/errors';
import { type Asset, Prisma, type Stream } from '@/lib/generated/prisma/client';
import { hashPassword } from '@/lib/infra/hash-password';
import { notify } from '@/lib/infra/notifications';

/** Policy columns, the same on streams, sessions and assets. */
export interface PolicyColumns {
  readonly playbackPolicy: Prisma.InputJsonValue | typeof Prisma.DbNull;
  readonly playbackPasswordHash: string | null;
}

interface StoredPolicy {
  readonly playbackPolicy: Prisma.JsonValue;
  readonly playbackPasswordHash: string | null;
}

const noPolicy: StoredPolicy = { playbackPolicy: null, playbackPasswordHash: null };

/**
 * The columns of a requested policy; null if nothing changes, so that issued tokens stay valid.
 * @param storedPolicy policy of the row; omitted for a new row
 * @throws AppError `invalid` without a password, `bad_request` for a webhook that does not exist or belongs to another
 * team, and for countries without GEOIP_DB
 */
export async function buildPolicyColumns(
  ctx: TeamContext,
  newPolicy: PlaybackPolicyInput | null | undefined,
  storedPolicy: StoredPolicy = noPolicy,
): Promise<PolicyColumns | null> {
  if (newPolicy === undefined) return null;
  if (newPolicy === null) {
    return storedPolicy.playbackPolicy === null
      ? null
      : { playbackPolicy: Prisma.DbNull, playbackPasswordHash: null };
  }
  const { password, ...policy } = newPolicy;
  if (password === undefined && isDeepStrictEqual(policy, storedPolicy.playbackPolicy)) return null;
  checkCountries(ctx, policy);
  if (policy.webhookId !== undefined) await checkWebhook(ctx, policy.webhookId);
  return {
    playbackPolicy: policy as Prisma.InputJsonValue,
    playbackPasswordHash:
      policy.type === 'password' ? await hashOrKeepPassword(password, storedPolicy) : null,
  };
}

async function hashOrKeepPassword(password: string | undefined, storedPolicy: StoredPolicy): Promise<string> {
  if (password !== undefined) return hashPassword(password);
  if (storedPolicy.playbackPasswordHash === null) {
    throw new AppError('invalid', {
      field: 'playbackPolicy.password',
      message: 'is required for type password',
    });
  }
  return storedPolicy.playbackPasswordHash;
}

function checkCountries({ settings }: TeamContext, policy: PlaybackPolicyInput): void {
  if (settings.geoipDb !== undefined || !hasCountryLimit(policy)) return;
  const field = policy.allowedCountries?.length ? 'allowedCountries' : 'blockedCountries';
  throw new AppError('bad_request', {
    field: `playbackPolicy.${field}`,
    message: 'this server does not know countries. Its operator must set GEOIP_DB first',
  });
}

async function checkWebhook({ db, actor }: TeamContext, id: string): Promise<void> {
  const webhook = await db.webhook.findFirst({ where: { id, teamId: actor.teamId, deletedAt: null } });
  if (!webhook)
    throw new AppError('bad_request', {
      field: 'playbackPolicy.webhookId',
      message: 'no webhook has this id',
    });
}

/** The policy columns of an object that is made from another one, for example a session from its stream. */
export function inheritedPolicy({ playbackPolicy, playbackPasswordHash }: StoredPolicy): PolicyColumns {
  return { playbackPolicy: playbackPolicy ?? Prisma.DbNull, playbackPasswordHash };
}

/**
 * Writes the policy of a stream or asset and of the recordings that follow it: the sessions of a stream that have not
 * ended, and the session that an asset was recorded from. Tokens issued under the old policy become invalid.
 */
export async function replacePolicy(
  tx: InTransaction<TeamContext>,
  {
    id,
    playbackId,
    sourceSessionId,
  }: Pick<Stream, 'id' | 'playbackId'> & Partial<Pick<Asset, 'sourceSessionId'>>,
  policy: PolicyColumns,
): Promise<void> {
  const { teamId } = tx.actor;
  const data = { ...policy, playbackPolicyVersion: { increment: 1 } };
  const where = { id, teamId };
  // The id belongs to a stream or to an asset, so one of the two statements changes a row.
  await tx.db.stream.updateMany({ where, data });
  await tx.db.asset.updateMany({ where, data });
  const sessions = await tx.db.session.updateManyAndReturn({
    where: {
      teamId,
      OR: [{ parentId: id, state: { not: 'ended' } }, ...(sourceSessionId ? [{ id: sourceSessionId }] : [])],
    },
    data,
    select: { id: true },
  });
  // Processes that deliver playback discard the access rules that they cache.
  for (const playedId of [playbackId, ...sessions.map((session) => session.id)]) {
    await notify(tx.db, 'playback_access', `playback ${playedId}`);
  }
}
