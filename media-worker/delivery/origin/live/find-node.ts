import type { WorkerContext } from '@/lib/domain/context';
import { askNode } from '@/lib/domain/nodes';
import type { LocatedLive } from '@/lib/domain/streams';
import { within } from '@/lib/infra/within';
import { LookupCache } from '@/media-worker/delivery/origin/lookup-cache';

export interface LocateNodeOptions {
  /** What the row of the stream says. */
  readonly row: (playbackId: string) => Promise<LocatedLive | null>;
  /** Addresses of the live processes on this machine that have started. */
  readonly local: () => Promise<readonly string[]>;
  /** Whether such a process has the stream; rejects when it does not answer. */
  readonly holds: (url: string, playbackId: string) => Promise<boolean>;
}

const databaseMs = 1_000;
const liveMs = 1_000;

/**
 * Finds the node that has a stream: the row says it. If the database does not answer, or the row names no node, the
 * live processes on this machine are asked: during a database outage a process loses its rows but not its streams. Null
 * only if the stream is known not to be live.
 */
export function createLocateNode({
  row,
  local,
  holds,
}: LocateNodeOptions): (playbackId: string) => Promise<string | null> {
  const localHolder = async (playbackId: string): Promise<string | null> => {
    const lookups = (await local()).map(async (url) => ((await holds(url, playbackId)) ? url : null));
    // One that does not answer must not hide another one.
    const answers = await Promise.allSettled(lookups);
    return (
      answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : null)).find(Boolean) ?? null
    );
  };
  return async (playbackId) => {
    const location = await within(databaseMs, row(playbackId)).catch(async (error: unknown) => {
      const url = await localHolder(playbackId).catch(() => null);
      // That these do not have it says nothing about other machines.
      if (url === null) throw error;
      return { url };
    });
    if (location === null) return null;
    return location.url ?? localHolder(playbackId).catch(() => null);
  };
}

/** Asks a live process whether it has a stream. */
export function holdsWith(
  ctx: Pick<WorkerContext, 'settings' | 'secrets' | 'clock'>,
): LocateNodeOptions['holds'] {
  return async (url, playbackId) => {
    const { status } = await askNode(ctx, { url, path: `/${playbackId}`, timeoutMs: liveMs });
    return status === 204;
  };
}

/**
 * Which node holds a stream. A location holds until a publish is told, or until its node no longer answers with the
 * stream; then the database is asked at most once a second a stream, whatever the number of viewers.
 */
export class NodeFinder extends LookupCache<string> {}

/** For a notification that was lost on the way. */
const undoubtedMs = 30_000;
/** While none arrive. */
const untoldMs = 1_000;

/** How long a location may be used without looking. @param listening whether publishes are told now */
export const locationMs = (listening: boolean): number => (listening ? undoubtedMs : untoldMs);
