import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, DatabaseError } from 'pg';
import { within } from '@/lib/infra/within';
import { postgresBinaries } from './binaries';
import { asOrdinaryUser, killWithParent, withoutSettings, type Command } from './child';
import { clusterUrl, socketDirectory, type Cluster } from './cluster';

export interface PostgresServer {
  url(database: string): string;
  stop(): Promise<void>;
}

/** Settings for a small machine shared with ffmpeg: little memory, few processes, no replication. */
const settings = [
  'listen_addresses=127.0.0.1',
  'shared_buffers=64MB',
  'io_method=sync',
  'wal_level=minimal',
  'max_wal_senders=0',
  'max_wal_size=512MB',
  'max_parallel_workers_per_gather=0',
  'max_logical_replication_workers=0',
  'jit=off',
  'timezone=UTC',
  'log_timezone=UTC',
  'log_line_prefix=',
  'log_checkpoints=off',
];

/** Connections of the pool and of the listeners for notifications. */
const CONNECTIONS_PER_PROCESS = 12;

/**
 * Command that runs the server in the foreground. Its process id is that of the postmaster.
 * @param extraProcesses number of processes of the service beyond one of each role
 */
export function postgresCommand(cluster: Cluster, extraProcesses = 0): Command {
  const connections = `max_connections=${100 + extraProcesses * CONNECTIONS_PER_PROCESS}`;
  // Only tests use clusters that are not durable. Their files and child processes need many connections.
  const testSettings = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=300'];
  const sockets = `unix_socket_directories=${socketDirectory(cluster) ?? ''}`;
  const allSettings = [
    ...settings,
    connections,
    sockets,
    `port=${cluster.port}`,
    ...(cluster.durable ? [] : testSettings),
  ];
  // setpriv must run inside the namespace, because entering a namespace clears the parent death signal.
  return asOrdinaryUser(
    killWithParent(
      withoutSettings({
        command: postgresBinaries().postgres,
        args: ['-D', cluster.directory, ...allSettings.flatMap((setting) => ['-c', setting])],
      }),
    ),
  );
}

/**
 * Removes the `postmaster.pid` that a crash left behind, because its process id may belong to another process now. A
 * server that outlived a killed supervisor is stopped first.
 */
export async function clearStaleServer({ directory }: Cluster): Promise<void> {
  const file = join(directory, 'postmaster.pid');
  const pid = Number((await readFile(file, 'utf8').catch(() => '')).split('\n')[0]);
  if (!pid) return;
  // Escalates from fast shutdown (SIGINT) to immediate shutdown (SIGQUIT), because nothing uses this server.
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    if (!isServerOf(pid, directory)) break;
    process.kill(pid, signal);
    for (let waitedMs = 0; waitedMs < 5_000 && isServerOf(pid, directory); waitedMs += 50) await sleep(50);
  }
  await rm(file, { force: true });
}

/**
 * Stops a frozen server without losing committed data, which the next server recovers. Resumed by SIGCONT, the server
 * shuts down its children and itself. If that fails, all are killed, because a child that still uses the shared memory
 * would prevent the next start.
 */
export async function stopFrozenServer(pid: number): Promise<void> {
  sendSignal([pid], 'SIGQUIT');
  sendSignal([pid, ...(await listChildren(pid))], 'SIGCONT');
  // PostgreSQL gives its children 5 s before it kills them.
  for (let waitedMs = 0; waitedMs < 8_000 && sendSignal([pid], 0) > 0; waitedMs += 100) await sleep(100);
  sendSignal([pid, ...(await listChildren(pid))], 'SIGKILL');
}

/** Ids of child processes; empty without /proc. */
async function listChildren(pid: number): Promise<number[]> {
  const pidList = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return pidList.split(' ').filter(Boolean).map(Number);
}

/**
 * Sends a signal to processes; 0 only checks them.
 * @returns the number of processes that exist
 */
function sendSignal(pids: readonly number[], signal: NodeJS.Signals | 0): number {
  return pids.filter((pid) => {
    try {
      return process.kill(pid, signal);
    } catch {
      return false;
    }
  }).length;
}

/** Whether the process is a PostgreSQL server with this data folder. Only Linux can tell it from other processes. */
function isServerOf(pid: number, directory: string): boolean {
  try {
    process.kill(pid, 0);
    if (process.platform !== 'linux') return true;
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(directory);
  } catch {
    return false;
  }
}

/**
 * Waits until the server accepts connections.
 * @param isAlive whether the server can still become ready
 * @throws Error after `timeoutMs`, or if `isAlive` returns false
 */
export async function waitForPostgres(url: string, timeoutMs: number, isAlive = () => true): Promise<void> {
  const deadlineMs = performance.now() + timeoutMs;
  for (;;) {
    const error = await tryQuery(url);
    if (!error) return;
    if (!isAlive()) throw new Error(`PostgreSQL exited while starting: ${error.message}`);
    if (performance.now() > deadlineMs) throw new Error(`PostgreSQL is not responding: ${error.message}`);
    await sleep(40);
  }
}

/** State of the server, or null if it does not respond. An error response means that it is starting or at its limit. */
export async function probePostgres(url: string): Promise<'starting' | 'ready' | null> {
  const error = await tryQuery(url, 5_000);
  if (!error) return 'ready';
  return error instanceof DatabaseError ? 'starting' : null;
}

async function tryQuery(url: string, timeoutMs = 2_000): Promise<Error | null> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    return null;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Starts the server for the duration of a command or a test run, without supervision.
 * @throws Error if it does not accept connections within `timeoutMs`; it is stopped then
 */
export async function startPostgres(
  cluster: Cluster,
  log: (line: string) => void = () => undefined,
  timeoutMs = 60_000,
): Promise<PostgresServer> {
  await clearStaleServer(cluster);
  const { command, args } = postgresCommand(cluster);
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  createInterface({ input: child.stderr }).on('line', log);
  const whenExited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const isAlive = () => child.exitCode === null && child.signalCode === null;
  const stop = async () => {
    for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
      if (!isAlive()) return;
      child.kill(signal);
      await within(8_000, whenExited, () => undefined);
    }
  };
  try {
    await waitForPostgres(clusterUrl(cluster, 'postgres'), timeoutMs, isAlive);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: (database) => clusterUrl(cluster, database), stop };
}

/**
 * Runs one statement outside a transaction.
 * @returns the number of rows
 */
export async function runSql(url: string, sql: string, values: readonly unknown[] = []): Promise<number> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    return (await client.query(sql, [...values])).rowCount ?? 0;
  } finally {
    await client.end();
  }
}

export async function databaseExists(adminUrl: string, name: string): Promise<boolean> {
  return (await runSql(adminUrl, 'select from pg_database where datname = $1', [name])) > 0;
}
