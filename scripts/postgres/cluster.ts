import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findFreePort, isPortFree } from '../service/ports';
import { readOrCreate } from '../service/read-or-create';
import { postgresBinaries } from './binaries';
import { asOrdinaryUser, withoutSettings } from './child';

/** Data folder and connection settings of a PostgreSQL server. */
export interface Cluster {
  readonly directory: string;
  readonly port: number;
  readonly password: string;
  /** false for tests, whose data may be lost in a crash. */
  readonly durable: boolean;
}

const majorVersion = '18';

/** Opens the cluster in `folder`/postgres. Creates it on first use with a random password and port. */
export async function openCluster(folder: string, { durable }: { durable: boolean }): Promise<Cluster> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const directory = join(folder, 'postgres');
  const password = await readOrCreate(join(folder, 'postgres.password'), () =>
    randomBytes(24).toString('hex'),
  );
  if (!existsSync(directory)) await createCluster(directory, join(folder, 'postgres.password'), durable);
  const version = (await readFile(join(directory, 'PG_VERSION'), 'utf8')).trim();
  if (version !== majorVersion) {
    throw new Error(
      `${directory} was written by PostgreSQL ${version}, but this version of Headwater uses ${majorVersion}. ` +
        'Restore a dump of it, see docs/operations.md.',
    );
  }
  return { directory, port: await readOrChoosePort(join(folder, 'postgres.port')), password, durable };
}

/**
 * Folder of the server's Unix socket, which needs half the CPU time of TCP. Null if the path is too long for a socket or
 * would need quoting; then TCP is used.
 */
export function socketDirectory({ directory }: Pick<Cluster, 'directory'>): string | null {
  const longestName = '/.s.PGSQL.65535.lock';
  // The path of a Unix socket has at most 107 bytes on Linux, and 103 on macOS.
  const fits = directory.length + longestName.length <= 100 && /^\/[\w./-]+$/.test(directory);
  return fits && process.platform !== 'win32' ? directory : null;
}

/** Connection string of one database of the cluster. */
export function clusterUrl(cluster: Omit<Cluster, 'durable'>, database: string): string {
  const { port, password } = cluster;
  const socket = socketDirectory(cluster);
  const query = socket === null ? '' : `?host=${encodeURIComponent(socket)}`;
  return `postgresql://headwater:${password}@127.0.0.1:${port}/${database}${query}`;
}

/** Creates the cluster in another folder and renames it, so that an interrupted start leaves no incomplete cluster. */
async function createCluster(directory: string, passwordFile: string, isDurable: boolean): Promise<void> {
  const partialDirectory = `${directory}.new`;
  await rm(partialDirectory, { recursive: true, force: true });
  const { command, args } = asOrdinaryUser(
    withoutSettings({
      command: postgresBinaries().initdb,
      args: [
        ...['--pgdata', partialDirectory, '--username', 'headwater', '--pwfile', passwordFile],
        ...['--auth', 'scram-sha-256', '--encoding', 'UTF8', '--no-instructions'],
        ...['--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'],
        ...(isDurable ? [] : ['--no-sync']),
      ],
    }),
  );
  await promisify(execFile)(command, args, { timeout: 120_000 });
  await rename(partialDirectory, directory);
}

async function readOrChoosePort(file: string): Promise<number> {
  const savedPort = Number(await readFile(file, 'utf8').catch(() => ''));
  if (savedPort > 0 && (await isPortFree(savedPort))) return savedPort;
  const port = await findFreePort();
  await writeFile(file, String(port), { mode: 0o600 });
  return port;
}
