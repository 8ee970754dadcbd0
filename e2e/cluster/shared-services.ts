import type { ChildProcess } from 'node:child_process';
import { appendFile, mkdir } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { s3ServerKey } from '@/lib/infra/storage/testing/s3-server';
import type { Scope } from '../../bench/lib/scope';
import { clusterUrl, openCluster } from '../../scripts/postgres/cluster';
import { postgresCommand, waitForPostgres } from '../../scripts/postgres/server';
import { findFreePort } from '../../scripts/service/ports';
import { hasEnded, startChild } from '../faults/service/child';
import { until } from '../faults/service/until';
import type { Machine, Site } from './machines';

// Services that all nodes share: PostgreSQL, Redis and an S3 server. With network namespaces, each has its own machine.

const root = join(import.meta.dirname, '../..');

interface StartContext {
  readonly site: Site;
  readonly directory: string;
  readonly scope: Scope;
}

/**
 * Starts PostgreSQL.
 * @returns a function that maps the name of a database to its URL
 */
export async function startDatabase({
  site,
  directory,
  scope,
}: StartContext): Promise<(name: string) => string> {
  const machine = await site.openMachine('db');
  const postgresCluster = await openCluster(join(directory, 'db'), { durable: false });
  const rule = `host all all ${site.network} scram-sha-256\n`;
  await appendFile(join(postgresCluster.directory, 'pg_hba.conf'), rule);
  const { command, args } = postgresCommand(postgresCluster);
  const [wrappedCommand, wrappedArgs] = machine.wrapCommand(command, [...args, '-c', 'listen_addresses=*']);
  const child = startChild(wrappedCommand, wrappedArgs, { logFile: join(directory, 'postgres.log') });
  // SIGINT requests the fast shutdown of PostgreSQL, which does not wait for clients to disconnect.
  scope.defer(() => stopChild(child, 'SIGINT'));
  const urlOf = (name: string) => {
    const url = new URL(clusterUrl(postgresCluster, name));
    url.hostname = machine.address;
    url.search = '';
    return url.href;
  };
  await waitForPostgres(urlOf('postgres'), 60_000, () => !hasEnded(child));
  return urlOf;
}

/**
 * Starts Redis.
 * @returns its URL
 */
export async function startRedis({ site, directory, scope }: StartContext): Promise<string> {
  const machine = await site.openMachine('redis');
  const port = site.hasNamespaces ? 6379 : await findFreePort();
  const folder = join(directory, 'redis');
  await mkdir(folder, { recursive: true });
  const files = ['--dir', folder, '--save', '', '--appendonly', 'no', '--protected-mode', 'no'];
  const listenArgs = ['--port', String(port), '--bind', machine.address];
  const [command, args] = machine.wrapCommand('redis-server', [...listenArgs, ...files]);
  const child = startChild(command, args, { logFile: join(directory, 'redis.log') });
  scope.defer(() => stopChild(child, 'SIGTERM'));
  await waitUntilListening('Redis', child, machine, port);
  return `redis://${machine.address}:${port}`;
}

/**
 * Starts the S3 server.
 * @returns the settings with which a node uses the server
 */
export async function startStorage({
  site,
  directory,
  scope,
}: StartContext): Promise<Record<string, string>> {
  const machine = await site.openMachine('s3');
  const port = site.hasNamespaces ? 9000 : await findFreePort();
  const script = join(root, 'e2e/faults/service/s3-server.ts');
  // The S3 server package encrypts continuation tokens with a legacy cipher.
  const node = ['--openssl-legacy-provider', '--import', 'tsx', script];
  const serverArgs = [join(directory, 's3'), String(port), 'cluster', machine.address];
  const [command, args] = machine.wrapCommand(process.execPath, [...node, ...serverArgs]);
  const child = startChild(command, args, { logFile: join(directory, 's3.log'), cwd: root });
  scope.defer(() => stopChild(child, 'SIGTERM'));
  await waitUntilListening('the S3 server', child, machine, port);
  return {
    S3_BUCKET: 'cluster',
    S3_ENDPOINT: `http://${machine.address}:${port}`,
    S3_ACCESS_KEY_ID: s3ServerKey.accessKeyId,
    S3_SECRET_ACCESS_KEY: s3ServerKey.secretAccessKey,
  };
}

async function waitUntilListening(
  name: string,
  child: ChildProcess,
  machine: Machine,
  port: number,
): Promise<void> {
  const listening = await until(
    60,
    async () => !hasEnded(child) && (await canConnect(machine.address, port)),
    100,
  );
  if (!listening) throw new Error(`${name} did not start listening`);
}

function canConnect(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host, port, timeout: 1_000 });
    const settle = (isConnected: boolean) => {
      socket.destroy();
      resolve(isConnected);
    };
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
    socket.once('timeout', () => settle(false));
  });
}

async function stopChild(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (hasEnded(child)) return;
  child.kill(signal);
  if (!(await until(10, () => hasEnded(child), 50))) child.kill('SIGKILL');
}
