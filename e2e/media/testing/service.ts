import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { Client } from 'pg';
import type { Stream } from '@/lib/contract/streams/stream';
import { makeAccount, makeApiKey } from '../../accounts';

function readSetting(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run these tests through npm test`);
  return value;
}

export const hlsUrl = (playbackId: string, file = 'index.m3u8'): string =>
  `${readSetting('CDN_URL')}/hls/${playbackId}/${file}`;

export const rtmpUrl = (streamKey: string): string => `${readSetting('RTMP_URL')}/${streamKey}`;

/** @param path the stream key, `session/…`, or empty if a token identifies the stream */
export const whipUrl = (path: string): string =>
  `${readSetting('CDN_URL')}/webrtc${path === '' ? '' : `/${path}`}`;

/** An account with an API key, which calls the API like any client. */
export class ApiAccount {
  readonly #key: string;

  private constructor(apiKey: string) {
    this.#key = apiKey;
  }

  /**
   * Creates an API key of an account.
   * @param accountId id of the account; without it a new account is created
   */
  static async create(accountId?: string): Promise<ApiAccount> {
    return new ApiAccount(await makeApiKey(accountId ?? (await makeAccount()).id));
  }

  async request(method: string, path: string, body?: object): Promise<Response> {
    return fetch(`${readSetting('BASE_URL')}${path}`, {
      method,
      headers: { Authorization: `Bearer ${this.#key}`, 'Content-Type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  }

  async createStream(fields: object = {}): Promise<Stream & { streamKey: string }> {
    const response = await this.request('POST', '/api/stream', { name: 'Media test', ...fields });
    expect(response.status).toBe(201);
    return (await response.json()) as Stream & { streamKey: string };
  }

  async readStream(id: string): Promise<Stream> {
    const response = await this.request('GET', `/api/stream/${id}`);
    expect(response.status).toBe(200);
    return (await response.json()) as Stream;
  }

  /**
   * Waits until a stream is live.
   * @returns the milliseconds waited
   */
  async waitUntilActive(id: string, timeoutMs = BUSY_TIMEOUT_MS): Promise<number> {
    return waitUntil(async () => (await this.readStream(id)).isActive, timeoutMs);
  }

  /**
   * Waits until a stream is not live.
   * @returns the milliseconds waited
   */
  async waitUntilIdle(id: string, timeoutMs = BUSY_TIMEOUT_MS): Promise<number> {
    return waitUntil(async () => !(await this.readStream(id)).isActive, timeoutMs);
  }
}

/** Default timeout. It is an upper limit for a busy machine, not an expected duration. */
const BUSY_TIMEOUT_MS = 240_000;

/**
 * Polls every 50 ms until `condition` is true. Fails the test after `timeoutMs`.
 * @returns the milliseconds waited
 */
export async function waitUntil(
  condition: () => Promise<boolean>,
  timeoutMs = BUSY_TIMEOUT_MS,
): Promise<number> {
  const startedAt = performance.now();
  await expect.poll(condition, { intervals: [50], timeout: timeoutMs }).toBe(true);
  return performance.now() - startedAt;
}

export async function fetchStatus(url: string): Promise<number> {
  const response = await fetch(url);
  await response.body?.cancel();
  return response.status;
}

async function runSql<Row>(sql: string, values: readonly unknown[]): Promise<Row[]> {
  const client = new Client({ connectionString: readSetting('DATABASE_URL') });
  await client.connect();
  try {
    return (await client.query(sql, [...values])).rows as Row[];
  } finally {
    await client.end();
  }
}

/** Reads the names of the events of a stream, in order. */
export async function fetchEventNames(streamId: string): Promise<string[]> {
  const rows = await runSql<{ name: string }>(
    'select "name" from "Event" where "streamId" = $1 order by "sequence"',
    [streamId],
  );
  return rows.map(({ name }) => name);
}

/**
 * Limit in milliseconds for actions without a waiting time. It is more than a busy machine takes, and less than the 8 s for
 * which a stream waits for a lost encoder.
 */
export const MAX_IMMEDIATE_DELAY_MS = 6_000;

/**
 * Milliseconds from `startedAt` (Date.now()) to the last event of a name. The timestamp of the event is used, so that a busy
 * test does not distort the result.
 */
export async function measureEventDelayMs(
  startedAt: number,
  streamId: string,
  name: string,
): Promise<number> {
  const [row] = await runSql<{ createdAt: Date }>(
    'select "createdAt" from "Event" where "streamId" = $1 and "name" = $2 order by "sequence" desc limit 1',
    [streamId, name],
  );
  if (!row) throw new Error(`${name} was not delivered`);
  return row.createdAt.getTime() - startedAt;
}

export interface SessionRow {
  readonly id: string;
  readonly state: string;
  readonly sourceSegments: number;
}

/** Reads the sessions of a stream from the database, in no particular order. */
export const fetchSessionRows = (streamId: string): Promise<SessionRow[]> =>
  runSql('select "id", "state", "sourceSegments" from "Session" where "parentId" = $1', [streamId]);

/** Ends the reconnect window of the sessions of a stream, by moving the time of their last media two days back. */
export async function endReconnectWindow(streamId: string): Promise<void> {
  await runSql(`update "Session" set "lastSeen" = "lastSeen" - interval '2 days' where "parentId" = $1`, [
    streamId,
  ]);
}

/** Reads the stalls that players of a stream, session or asset have reported. */
export async function fetchReportedStalls(objectId: string): Promise<{ stalls: number; stallMs: number }> {
  const [row] = await runSql<{ stalls: number; stallMs: number }>(
    `select coalesce(sum("stalls"), 0)::int as "stalls", coalesce(sum("stallMs"), 0)::float8 as "stallMs"
     from "AudiencePeriod" where "objectId" = $1`,
    [objectId],
  );
  return row ?? { stalls: 0, stallMs: 0 };
}

/**
 * Requests the test pattern like the dashboard.
 * @param seconds duration from now; a negative one ends the test pattern
 */
export async function requestTestPattern(streamId: string, seconds: number): Promise<void> {
  await runSql(`update "Stream" set "testPatternUntil" = now() + $2 * interval '1 second' where "id" = $1`, [
    streamId,
    seconds,
  ]);
  await runSql(`select pg_notify('stream_changed', $1)`, [streamId]);
}

/**
 * Finds the only process of a role of the service under test, by its command line and data folder.
 * @returns its pid
 */
export function findRolePid(role: 'live' | 'origin' | 'jobs'): number {
  const dataDir = readSetting('DATA_DIR');
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

/** Kills the database of the service under test with SIGKILL. The supervisor restarts the database. */
export function killDatabase(): void {
  const [pid] = readFileSync(join(readSetting('DATA_DIR'), 'postgres', 'postmaster.pid'), 'utf8').split('\n');
  process.kill(Number(pid), 'SIGKILL');
}

/** Lists the temporary files of a role, for example sockets of renditions and options of targets. */
export function listScratchFiles(role: 'live' | 'jobs'): string[] {
  const folder = readFileSync(join(readSetting('DATA_DIR'), 'nodes', `${role}-scratch`), 'utf8').trim();
  // The wrapper of ffmpeg and its mount point are left out, because they exist as long as the process.
  return readdirSync(folder).filter((name) => !name.startsWith('ff') && name !== 'root');
}

/** Reads the command lines of the child processes of a process. */
export function readChildCommands(pid: number): string[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      // The name in parentheses is followed by the state and the parent pid (proc_pid_stat(5)).
      const parent = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1];
      return parent === String(pid)
        ? [readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ')]
        : [];
    } catch {
      return []; // the process has just ended
    }
  });
}
