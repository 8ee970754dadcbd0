import type { TeamContext, InTransaction } from '@/lib/domain/context';
import type { Profile, RecordingSpec } from '@/lib/contract/streams/profile';
import type { TargetReferenceInput } from '@/lib/contract/streams/stream';
import { AppError, notFound } from '@/lib/core/errors';
import { profilesFault, targetsFault } from '@/lib/core/renditions/profile-rules';
import type { Stream } from '@/lib/generated/prisma/client';

/**
 * A stream of the team.
 * @throws AppError `not_found` for a missing or deleted stream, or one of another team
 */
export async function requireStream(ctx: TeamContext, id: string): Promise<Stream> {
  const stream = await ctx.db.stream.findFirst({ where: { id, teamId: ctx.actor.teamId, deletedAt: null } });
  if (!stream) throw notFound();
  return stream;
}

/**
 * Reads a stream of the team and locks it until the transaction ends.
 * @throws AppError `not_found`
 */
export async function requireLockedStream(tx: InTransaction<TeamContext>, id: string): Promise<Stream> {
  // `for update` would block the live role from writing sessions of the stream.
  await tx.db.$queryRaw`
    select 1 from "Stream" where "id" = ${id}::uuid and "teamId" = ${tx.actor.teamId}::uuid for no key update`;
  return requireStream(tx, id);
}

/** @throws AppError `bad_request` */
export function checkProfiles(profiles: readonly Profile[]): void {
  const fault = profilesFault(profiles);
  if (fault) throw new AppError('bad_request', fault);
}

/**
 * Checks that a recording spec is only set with `record: true`.
 * @throws AppError `invalid` (without recording), `bad_request` (its profiles)
 */
export function checkRecordingSpec(spec: RecordingSpec | null | undefined, record: boolean): void {
  if (!spec) return;
  if (!record) throw new AppError('invalid', { field: 'recordingSpec', message: 'needs record to be true' });
  checkProfiles(spec.profiles ?? []);
}

/**
 * Checks that references name renditions of the stream, and each pair of target and rendition once.
 * @throws AppError `bad_request`
 */
export function checkTargets(
  targets: readonly Pick<TargetReferenceInput, 'id' | 'spec' | 'profile'>[],
  profiles: readonly Profile[],
): void {
  const fault = targetsFault(targets, profiles);
  if (fault) throw new AppError('bad_request', fault);
}
