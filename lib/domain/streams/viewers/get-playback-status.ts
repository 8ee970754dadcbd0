import { LRUCache } from 'lru-cache';
import type { Context } from '@/lib/domain/context';
import type { PlaybackStatus } from '@/lib/contract/streams/playback';
import { notFound } from '@/lib/core/errors';
import { readCurrentViewers } from './get-viewers';

const playbackIdPattern = /^[a-z0-9]{16}$/;

/** Lifetime of a cached status. Open pages poll every 8 s, so they show a change within 10 s. */
const CACHE_MS = 1_000;
const MAX_STREAMS = 10_000;
/** Cached value for an unknown stream, because the cache does not store null. */
const unknownStream = 'nothing';

type Statuses = LRUCache<string, PlaybackStatus | typeof unknownStream, Context>;
const caches = new WeakMap<object, Statuses>();

/**
 * Public status of a stream: whether it is live, since when, and its number of viewers. Concurrent requests share one
 * read, and later requests its result for a second.
 * @throws AppError `not_found`, including for a suspended or deleted stream
 */
export async function getPlaybackStatus(ctx: Context, playbackId: string): Promise<PlaybackStatus> {
  const status = playbackIdPattern.test(playbackId)
    ? await openCache(ctx).forceFetch(playbackId, { context: ctx })
    : unknownStream;
  if (status === unknownStream) {
    throw notFound(`No stream found for ${playbackId.slice(0, 100)}`);
  }
  return status;
}

function openCache({ db, clock }: Context): Statuses {
  let statuses = caches.get(db);
  if (!statuses) {
    statuses = new LRUCache({
      max: MAX_STREAMS,
      ttl: CACHE_MS,
      // A result is returned even if its cache entry was evicted during the read.
      ignoreFetchAbort: true,
      perf: { now: () => clock.monotonic() },
      fetchMethod: (playbackId, _stale, { context }) => readStatus(context, playbackId),
    });
    caches.set(db, statuses);
  }
  return statuses;
}

async function readStatus(
  { db }: Context,
  playbackId: string,
): Promise<PlaybackStatus | typeof unknownStream> {
  const where = {
    playbackId,
    parentId: null,
    deletedAt: null,
    suspended: false,
    team: { suspended: false },
  };
  const stream = await db.stream.findFirst({ where, select: { id: true, isActive: true } });
  if (!stream) return unknownStream;
  const { id, isActive: live } = stream;
  // A session that ended before its first segment was never visible to viewers, so it is ignored.
  const session = await db.session.findFirst({
    where: { parentId: id, ...(live ? {} : { sourceSegments: { gt: 0 } }) },
    orderBy: [{ listedAt: 'desc' }, { createdAt: 'desc' }],
    select: { createdAt: true, lastSeen: true },
  });
  return {
    live,
    viewers: live ? await readCurrentViewers(db, id) : 0,
    startedAt: session?.createdAt.getTime() ?? null,
    endedAt: live ? null : ((session?.lastSeen ?? session?.createdAt)?.getTime() ?? null),
  };
}
