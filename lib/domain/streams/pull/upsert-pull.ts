import type { BodyOf, QueryOf, Upserted } from '@/lib/contract/define-endpoint';
import type { upsertPullStream as upsertPullStreamEndpoint } from '@/lib/contract/streams/pull-endpoints';
import type { Stream } from '@/lib/contract/streams/stream';
import { AppError } from '@/lib/core/errors';
import { type InTransaction, transact, type TeamContext } from '@/lib/domain/context';
import { createStream } from '@/lib/domain/streams/create-stream';
import { getStream } from '@/lib/domain/streams/get-stream';
import { updateStream } from '@/lib/domain/streams/update-stream';
import { pullSourceHash } from './pull-columns';

type UpsertBody = BodyOf<typeof upsertPullStreamEndpoint>;
type UpsertKey = QueryOf<typeof upsertPullStreamEndpoint>['key'];

/**
 * Creates a pull stream, or changes the stream that has the same value at `key`. Concurrent requests for one value run one
 * after the other, so that they create one stream.
 * @throws AppError `bad_request` (no value at `key`, or several streams have it), and the errors of creation and change
 */
export async function upsertPullStream(
  ctx: TeamContext,
  { body, key }: { readonly body: UpsertBody; readonly key: UpsertKey },
): Promise<Upserted<Stream>> {
  const { createdStream, changedStreamId } = await transact(ctx, async (tx) => {
    const where = keyFilter(tx, body, key);
    await lockKey(tx, body, key);
    const matchingStreams = await tx.db.stream.findMany({
      where: { ...where, teamId: tx.actor.teamId, parentId: null, deletedAt: null },
      select: { id: true },
      take: 2,
    });
    const [matchingStream, secondMatch] = matchingStreams;
    if (secondMatch)
      throw new AppError('bad_request', `${key} is not unique: several streams have this value`);
    if (!matchingStream) return { createdStream: await createStream(tx, body), changedStreamId: null };
    await updateStream(tx, { id: matchingStream.id, change: { suspended: false, ...body } });
    return { createdStream: null, changedStreamId: matchingStream.id };
  });
  return createdStream
    ? { isCreated: true, object: createdStream }
    : { isCreated: false, object: await getStream(ctx, changedStreamId) };
}

function keyFilter({ secrets }: TeamContext, { pull, creatorId }: UpsertBody, key: UpsertKey) {
  if (key === 'pull.source') return { pullSourceHash: pullSourceHash(secrets, pull.source) };
  if (creatorId === undefined) throw new AppError('bad_request', `${key} must be present in the body`);
  return { creatorId: creatorId.value, pullSourceHash: { not: null } };
}

/** Locks a value of `key` until the transaction ends. */
async function lockKey(
  { db, actor, secrets }: InTransaction<TeamContext>,
  { pull, creatorId }: UpsertBody,
  key: UpsertKey,
): Promise<void> {
  const value =
    key === 'pull.source' ? pullSourceHash(secrets, pull.source).toString('hex') : creatorId?.value;
  await db.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${`pull ${actor.teamId} ${value ?? ''}`}, 0))`;
}
