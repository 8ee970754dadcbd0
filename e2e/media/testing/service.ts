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

/** @param path the stream key, `session/…`, or empty if a token identifies the stream */
export const whipUrl = (path: string): string =>
  `${setting('CDN_URL')}/webrtc${path === '' ? '' : `/${path}`}`;

/** An account with an API key, for calls like those of any client. */
export class Owner {
  readonly #key: string;

  private constructor(key: string) {
    this.#key = key;
  }

  /** @param accountId absent: a new account */
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

  /** Waits until the stream is active or inactive. @returns the milliseconds that took */
  async untilActive(id: string, active: boolean, timeoutMs = busyTimeoutMs): Promise<number> {
    return until(async () => (await this.stream(id)).isActive === active, timeoutMs);
  }
}

/** Upper limit for a busy machine, not an expected duration. */
const busyTimeoutMs = 240_000;

/** Polls every 50 ms. @returns milliseconds until `condition` was true. Fails the test after `timeoutMs` */
export async function until(condition: () => Promise<boolean>, timeoutMs = busyTimeoutMs): Promise<number> {
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

/** Names of the events of a stream in their order. */
export async function eventsOf(streamId: string): Promise<string[]> {
  const rows = await query<{ name: string }>(
    'select "name" from "Event" where "streamId" = $1 order by "sequence"',
    [streamId],
  );
  return rows.map(({ name }) => name);
}

/**
 * Limit in milliseconds for actions that have no waiting time: more than a busy machine takes, less than the 8 s for which a
 * stream waits for a lost encoder.
 */
export const immediateMs = 6_000;

/**
 * Milliseconds from `begin` (Date.now()) to the last event of this name, by the timestamp of the event, so that a busy test
 * does not distort the result.
 */
export async function eventDelayMs(begin: number, streamId: string, name: string): Promise<number> {
  const [row] = await query<{ createdAt: Date }>(
    'select "createdAt" from "Event" where "streamId" = $1 and "name" = $2 order by "sequence" desc limit 1',
    [streamId, name],
  );
  if (!row) throw new Error(`${name} was not delivered`);
  return row.createdAt.getTime() - begin;
}

export interface SessionRow {
  readonly id: string;
  readonly state: string;
  readonly sourceSegments: number;
}

export const sessionsOf = (streamId: string): Promise<SessionRow[]> =>
  query('select "id", "state", "sourceSegments" from "Session" where "parentId" = $1', [streamId]);

/** Dates the last media of the stream's sessions back, so that the reconnect window is over. */
export async function endWindow(streamId: string): Promise<void> {
  await query(`update "Session" set "lastSeen" = "lastSeen" - interval '2 days' where "parentId" = $1`, [
    streamId,
  ]);
}

/** Stalls that the players of a stream, session or asset reported so far. */
export async function reportedStalls(objectId: string): Promise<{ stalls: number; stallMs: number }> {
  const [row] = await query<{ stalls: number; stallMs: number }>(
    `select coalesce(sum("stalls"), 0)::int as "stalls", coalesce(sum("stallMs"), 0)::float8 as "stallMs"
     from "AudiencePeriod" where "objectId" = $1`,
    [objectId],
  );
  return row ?? { stalls: 0, stallMs: 0 };
}

/** Requests the test pattern like the dashboard. */
export async function askForTestPattern(streamId: string, seconds: number): Promise<void> {
  await query(`update "Stream" set "testPatternUntil" = now() + $2 * interval '1 second' where "id" = $1`, [
    streamId,
    seconds,
  ]);
  await query(`select pg_notify('stream_changed', $1)`, [streamId]);
}

/** Pid of a role of the service under test, found by its command line and data folder. */
export function processOf(role: 'live' | 'origin' | 'jobs'): number {
  const dataDir = setting('DATA_DIR');
  const pids = readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      const args = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0');
      if (args.at(-2) !== role || !args.some((word) => word.endsWith('media-worker.js'))) return false;
      return readFileSync(`/proc/${name}/environ`, 'utf8').split('\0').includes(`DATA_DIR=${dataDir}`);
    } catch {
      return false; // the process has just ended, or belongs to another user
    }
  });
  expect(pids).toHaveLength(1);
  return Number(pids[0]);
}

/** Kills the database of the service under test, like a power failure. The supervisor restarts it. */
export function killDatabase(): void {
  const [pid] = readFileSync(join(setting('DATA_DIR'), 'postgres', 'postmaster.pid'), 'utf8').split('\n');
  process.kill(Number(pid), 'SIGKILL');
}

/** Temporary files of a role: sockets of renditions, options of targets. */
export function scratchOf(role: 'live' | 'jobs'): string[] {
  const folder = readFileSync(join(setting('DATA_DIR'), 'nodes', `${role}-scratch`), 'utf8').trim();
  // The wrapper of ffmpeg and its mount point exist as long as the process.
  return readdirSync(folder).filter((name) => !name.startsWith('ff') && name !== 'root');
}

/** Command lines of the child processes of a process. */
export function childrenOf(pid: number): string[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      // After the name in parentheses: the state, then the parent pid (proc_pid_stat(5)).
      const parent = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1];
      return parent === String(pid)
        ? [readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ')]
        : [];
    } catch {
      return []; // the process has just ended
    }
  });
}
