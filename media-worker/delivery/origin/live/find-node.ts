import type { WorkerContext } from '@/lib/domain/context';
import { askNode, isRefusedConnection } from '@/lib/domain/nodes';
import type { LocatedLive } from '@/lib/domain/streams';
import { within } from '@/lib/infra/within';
import { LookupCache } from '@/media-worker/delivery/origin/lookup-cache';

export interface LocateNodeOptions {
  /** Reads the row of the stream. */
  readonly findRow: (playbackId: string) => Promise<LocatedLive | null>;
  /** URLs of the running live processes of this machine. */
  readonly findLocalUrls: () => Promise<readonly string[]>;
  /** Whether a process has the stream; rejects if it does not answer. */
  readonly holds: (url: string, playbackId: string) => Promise<boolean>;
}

const DATABASE_TIMEOUT_MS = 1_000;
const LIVE_TIMEOUT_MS = 1_000;

/**
 * Creates the function that finds the URL of the node of a stream by its row. If the database does not answer, or the row
 * names no node, the live processes of this machine are asked: during a database outage a process loses its rows, but not
 * its streams.
 * @returns a function that returns null if there is no row, or the row names no node and no local process has the stream.
 *   It throws if that is unknown
 */
export function createLocateNode({
  findRow,
  findLocalUrls,
  holds,
}: LocateNodeOptions): (playbackId: string) => Promise<string | null> {
  const findLocalHolder = async (playbackId: string): Promise<string | null> => {
    const lookups = (await findLocalUrls()).map(async (url) => ((await holds(url, playbackId)) ? url : null));
    // A process that does not answer must not hide another.
    const answers = await Promise.allSettled(lookups);
    const holder = answers.find(
      (nodeAnswer) => nodeAnswer.status === 'fulfilled' && nodeAnswer.value !== null,
    );
    // A process that is slow may have the stream: "not live" would end the viewers' players. One that is gone has none.
    const silent = answers.find(
      (nodeAnswer) => nodeAnswer.status === 'rejected' && !isRefusedConnection(nodeAnswer.reason),
    );
    const answer = holder ?? silent;
    if (answer?.status === 'rejected') throw answer.reason;
    return answer?.value ?? null;
  };
  return async (playbackId) => {
    const location = await within(DATABASE_TIMEOUT_MS, findRow(playbackId)).catch(async (error: unknown) => {
      const url = await findLocalHolder(playbackId).catch(() => null);
      // Live processes of this machine know nothing about streams of other machines.
      if (url === null) throw error;
      return { url };
    });
    if (location === null) return null;
    return location.url ?? findLocalHolder(playbackId);
  };
}

/** Creates the function that asks a live process whether it has a stream. */
export function createHoldsCheck(
  ctx: Pick<WorkerContext, 'settings' | 'secrets' | 'clock'>,
): LocateNodeOptions['holds'] {
  return async (url, playbackId) => {
    const { status } = await askNode(ctx, { url, path: `/${playbackId}`, timeoutMs: LIVE_TIMEOUT_MS });
    return status === 204;
  };
}

/**
 * Caches the node URL of each stream. A location is valid until a publish is announced, its node no longer serves
 * the stream, or it expires. Then the database is asked at most once a second per stream, whatever the number of
 * viewers.
 */
export class NodeFinder extends LookupCache<string> {}

/** Validity while notifications arrive, in case one is lost. */
const ANNOUNCED_LOCATION_MS = 30_000;
/** Validity while notifications do not arrive. */
const UNANNOUNCED_LOCATION_MS = 1_000;

/**
 * How long a location may be used without a lookup.
 * @param isListening whether publishes are announced at present
 */
export const locationMaxAgeMs = (isListening: boolean): number =>
  isListening ? ANNOUNCED_LOCATION_MS : UNANNOUNCED_LOCATION_MS;
