import { recordAudit } from '@/lib/domain/audit';
import { transact, type TeamContext, type InTransaction } from '@/lib/domain/context';
import { MAX_TARGETS, type TargetReferenceInput } from '@/lib/contract/streams/stream';
import { AppError, notFound } from '@/lib/core/errors';
import type { StreamTarget } from '@/lib/generated/prisma/client';
import { notify } from '@/lib/infra/notifications';
import { resolveReferences } from '@/lib/domain/multistream';
import { checkTargets, requireLockedStream } from '@/lib/domain/streams/internal';
import { profilesOf } from '@/lib/domain/streams/serialize';

/** The target references of a stream, in order. */
export function readTargetReferences(
  ctx: Pick<TeamContext, 'db'>,
  streamId: string,
): Promise<StreamTarget[]> {
  return ctx.db.streamTarget.findMany({ where: { streamId }, orderBy: { position: 'asc' } });
}

/** Stored references as input of `checkTargets`. */
export function requestedTargetsOf(targets: readonly StreamTarget[]): { id: string; profile: string }[] {
  return targets.map(({ targetId, profile }) => ({ id: targetId, profile }));
}

/**
 * Sets the stream's target references, in place of any existing ones. Must run in the transaction that has locked or
 * created the stream, after `checkTargets`.
 * @throws AppError `bad_request` for an unknown target; `invalid` (url) and `forbidden` (restricted API
 * key) for a target to create
 */
export async function setTargetReferences(
  tx: InTransaction<TeamContext>,
  streamId: string,
  newTargets: readonly TargetReferenceInput[],
): Promise<StreamTarget[]> {
  const references = await resolveReferences(tx, newTargets, (index) => `multistream.targets[${index}].`);
  await tx.db.streamTarget.deleteMany({ where: { streamId } });
  if (references.length === 0) return [];
  return tx.db.streamTarget.createManyAndReturn({
    data: references.map((reference, position) => ({ ...reference, streamId, position })),
  });
}

/**
 * Adds a target reference after the existing references.
 * @throws AppError `not_found`, `bad_request` (child stream, rendition, target, too many), `invalid` (url),
 * `forbidden` for a new target in a request with a restricted API key
 */
export async function addTarget(
  ctx: TeamContext,
  { id, reference }: { readonly id: string; readonly reference: TargetReferenceInput },
): Promise<void> {
  await transact(ctx, async (tx) => {
    const stream = await requireLockedStream(tx, id);
    if (stream.parentId !== null) throw new AppError('bad_request', "can't patch stream session");
    const existingReferences = await readTargetReferences(tx, id);
    checkTargets([...requestedTargetsOf(existingReferences), reference], profilesOf(stream));
    if (existingReferences.length >= MAX_TARGETS) {
      throw new AppError('bad_request', `a stream has at most ${MAX_TARGETS} multistream targets`);
    }
    const references = await resolveReferences(tx, [reference], () => '');
    const position = (existingReferences.at(-1)?.position ?? -1) + 1;
    await tx.db.streamTarget.createMany({
      data: references.map((reference) => ({ ...reference, streamId: id, position })),
    });
    await recordTargetsChange(tx, id);
  });
}

/**
 * Removes a target from the stream. The target itself is kept.
 * @throws AppError `not_found`, including if the stream does not refer to the target
 */
export async function removeTarget(
  ctx: TeamContext,
  { id, targetId }: { readonly id: string; readonly targetId: string },
): Promise<void> {
  await transact(ctx, async (tx) => {
    await requireLockedStream(tx, id);
    const { count } = await tx.db.streamTarget.deleteMany({ where: { streamId: id, targetId } });
    if (count === 0) throw notFound();
    await recordTargetsChange(tx, id);
  });
}

async function recordTargetsChange(tx: InTransaction<TeamContext>, id: string): Promise<void> {
  const where = { id, teamId: tx.actor.teamId };
  await tx.db.stream.updateMany({ where, data: { settingsVersion: { increment: 1 } } });
  await recordAudit(tx, { action: 'stream.targets-changed', objectId: id });
  await notify(tx.db, 'stream_changed', id);
}
