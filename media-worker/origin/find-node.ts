import { get } from 'node:http';
import type { LocatedLive } from '@/lib/streams';
import { within } from '../process/every';
import type { SignRead } from './live-proxy';
import { LookupCache } from './lookup-cache';

export interface LocateNodeOptions {
  /** What the row of the stream says. */
  readonly row: (playbackId: string) => Promise<LocatedLive | null>;
  /** Address of the live process on this machine; null when none has started here. */
  readonly local: () => Promise<string | null>;
  /** Whether that process has the stream; rejects when it does not answer. */
  readonly holds: (url: string, playbackId: string) => Promise<boolean>;
}

const databaseMs = 1_000;
const liveMs = 1_000;

/**
 * Finds the node that has a stream: the row says it. If the database does not answer, or the row names no node, the
 * live process on this machine is asked: during a database outage a process loses its rows but not its streams. Null
 * only if the stream is known not to be live.
 */
export function createLocateNode({
  row,
  local,
  holds,
}: LocateNodeOptions): (playbackId: string) => Promise<string | null> {
  const localHolder = async (playbackId: string): Promise<string | null> => {
    const url = await local();
    return url !== null && (await holds(url, playbackId)) ? url : null;
  };
  return async (playbackId) => {
    const found = await within(databaseMs, row(playbackId)).catch(async (error: unknown) => {
      const url = await localHolder(playbackId).catch(() => null);
      // That this process does not have it says nothing about the others.
      if (url === null) throw error;
      return { url };
    });
    if (found === null) return null;
    return found.url ?? localHolder(playbackId).catch(() => null);
  };
}

/** Asks a live process whether it has a stream. */
export function holdsWith(sign: SignRead): LocateNodeOptions['holds'] {
  return (url, playbackId) =>
    new Promise((resolve, reject) => {
      const path = `/${playbackId}`;
      const options = { signal: AbortSignal.timeout(liveMs), headers: sign(path) };
      get(`${url}${path}`, options, (response) => {
        response.resume();
        resolve(response.statusCode === 204);
      }).on('error', reject);
    });
}

/**
 * Which node holds a stream, asked of the database at most once a second a stream, whatever the number of viewers. When a
 * stream ends while the database is away, the live node itself answers 404.
 */
export class NodeFinder extends LookupCache<string> {}
