import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { Client } from 'pg';
import type { Stream } from '@/lib/contract/streams/stream';
import { makeAccount, makeKey } from '../../accounts';

function setting(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run these tests through npm test`);
  return value;
}

export const hlsUrl = (playbackId: string, file = 'index.m3u8'): string =>
  `${setting('CDN_URL')}/hls/${playbackId}/${file}`;

export const rtmpUrl = (streamKey: string): string => `${setting('RTMP_URL')}/${streamKey}`;

/** @param path the stream key, `session/…`, or nothing where a token says it */
export const whipUrl = (path: string): string =>
  `${setting('CDN_URL')}/webrtc${path === '' ? '' : `/${path}`}`;

/** An account with a key that calls the API as any client would. */
export class Owner {
  readonly #key: string;

  private constructor(key: string) {
    this.#key = key;
  }

  /** @param accountId of a new account if left out */
  static async create(accountId?: string): Promise<Owner> {
    return new Owner(await makeKey(accountId ?? (await makeAccount()).id));
  }

  async request(method: string, path: string, body?: object): Promise<Response> {
    return fetch(`${setting('BASE_URL')}${path}`, {
      method,
      headers: { Authorization: `Bearer ${this.#key}`, 'Content-Type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  }

  async newStream(fields: object = {}): Promise<Stream & { streamKey: string }> {
    const response = await this.request('POST', '/api/stream', { name: 'Media test', ...fields });
    expect(response.status).toBe(201);
    return (await response.json()) as Stream & { streamKey: string };
  }

  async stream(id: string): Promise<Stream> {
    const response = await this.request('GET', `/api/stream/${id}`);
    expect(response.status).toBe(200);
    return (await response.json()) as Stream;
  }

  /** Waits until the stream is active, or is not; returns the milliseconds that took. */
  async untilActive(id: string, wanted: boolean, timeoutMs = patienceMs): Promise<number> {
    return until(async () => (await this.stream(id)).isActive === wanted, timeoutMs);
  }
}

/** A bound for a machine that has other work, not a measure. */
const patienceMs = 240_000;

/** Asks every 50 ms. @returns milliseconds until `condition` held; fails the test after `timeoutMs` */
export async function until(condition: () => Promise<boolean>, timeoutMs = patienceMs): Promise<number> {
  const begin = performance.now();
  await expect.poll(condition, { intervals: [50], timeout: timeoutMs }).toBe(true);
  return performance.now() - begin;
}

export async function statusOf(url: string): Promise<number> {
  const response = await fetch(url);
  await response.body?.cancel();
  return response.status;
}

async function query<Row>(sql: string, values: readonly unknown[]): Promise<Row[]> {
  const client = new Client({ connectionString: setting('DATABASE_URL') });
  await client.connect();
  try {
    return (await client.query(sql, [...values])).rows as Row[];
  } finally {
    await client.end();
  }
}

/** Names of a stream's events in their order. */
export async function eventsOf(streamId: string): Promise<string[]> {
  const rows = await query<{ name: string }>(
    'select "name" from "Event" where "streamId" = $1 order by "sequence"',
    [streamId],
  );
  return rows.map(({ name }) => name);
}

/**
 * Bound of what is done at once, in milliseconds: above what a busy machine takes, below the 8 s for which a stream waits
 * for a lost encoder.
 */
export const promptMs = 6_000;

/**
 * Milliseconds from `begin` (Date.now()) to the stream's last event of this name, by the time that the service wrote into
 * it: what it promises is not measured by when a busy test sees it.
 */
export async function toldAfter(begin: number, streamId: string, name: string): Promise<number> {
  const [row] = await query<{ createdAt: Date }>(
    'select "createdAt" from "Event" where "streamId" = $1 and "name" = $2 order by "sequence" desc limit 1',
    [streamId, name],
  );
  if (!row) throw new Error(`${name} was not told`);
  return row.createdAt.getTime() - begin;
}

export interface SessionRow {
  readonly id: string;
  readonly state: string;
  readonly sourceSegments: number;
}

export const sessionsOf = (streamId: string): Promise<SessionRow[]> =>
  query('select "id", "state", "sourceSegments" from "Session" where "parentId" = $1', [streamId]);

/** As if the last media of the stream's sessions had come so long ago that the reconnect window is over. */
export async function endWindow(streamId: string): Promise<void> {
  await query(`update "Session" set "lastSeen" = "lastSeen" - interval '2 days' where "parentId" = $1`, [
    streamId,
  ]);
}

/** Asks for the test card as the dashboard does. */
export async function askForTestPattern(streamId: string, seconds: number): Promise<void> {
  await query(`update "Stream" set "testPatternUntil" = now() + $2 * interval '1 second' where "id" = $1`, [
    streamId,
    seconds,
  ]);
  await query(`select pg_notify('stream_changed', $1)`, [streamId]);
}

/** The process of one role of the service under test, found by its command line and its data folder. */
export function processOf(role: 'live' | 'origin' | 'jobs'): number {
  const dataDir = setting('DATA_DIR');
  const pids = readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      const args = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0');
      if (args.at(-2) !== role || !args.some((word) => word.endsWith('media-worker.js'))) return false;
      return readFileSync(`/proc/${name}/environ`, 'utf8').split('\0').includes(`DATA_DIR=${dataDir}`);
    } catch {
      return false; // gone meanwhile, or another process's
    }
  });
  expect(pids).toHaveLength(1);
  return Number(pids[0]);
}

/** Ends the database of the service under test as a power cut would; its supervisor starts it again. */
export function killDatabase(): void {
  const [pid] = readFileSync(join(setting('DATA_DIR'), 'postgres', 'postmaster.pid'), 'utf8').split('\n');
  process.kill(Number(pid), 'SIGKILL');
}

/** Files that a role keeps for a moment: sockets of renditions, options of targets. */
export function scratchOf(role: 'live' | 'jobs'): string[] {
  const folder = readFileSync(join(setting('DATA_DIR'), 'nodes', `${role}-scratch`), 'utf8').trim();
  // The wrapper of ffmpeg and the folder that its view is mounted on stay as long as the process.
  return readdirSync(folder).filter((name) => !name.startsWith('ff') && name !== 'root');
}

/** Command lines of the processes that a process has started and that are still there. */
export function childrenOf(pid: number): string[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      // Behind the name in brackets: state, then the parent.
      const parent = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1];
      return parent === String(pid)
        ? [readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ')]
        : [];
    } catch {
      return []; // gone meanwhile
    }
  });
}
