import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort, isFree } from '../service/ports';
import { postgresBinaries } from './binaries';
import { asOrdinaryUser, withoutSettings } from './child';

/** The files of one PostgreSQL server, and how to reach it. */
export interface Cluster {
  readonly directory: string;
  readonly port: number;
  readonly password: string;
  /** false: a lost machine may lose everything (tests). */
  readonly durable: boolean;
}

const majorVersion = '18';

/** Opens `folder`/postgres, made on first use with its own password and port. */
export async function openCluster(folder: string, { durable }: { durable: boolean }): Promise<Cluster> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const directory = join(folder, 'postgres');
  const password = await kept(join(folder, 'postgres.password'), () => randomBytes(24).toString('hex'));
  if (!existsSync(directory)) await createCluster(directory, join(folder, 'postgres.password'), durable);
  const version = (await readFile(join(directory, 'PG_VERSION'), 'utf8')).trim();
  if (version !== majorVersion) {
    throw new Error(
      `${directory} was written by PostgreSQL ${version}, this version brings ${majorVersion}: ` +
        'restore a dump of it, see docs/operations.md.',
    );
  }
  return { directory, port: await keptPort(join(folder, 'postgres.port')), password, durable };
}

/**
 * Where the server's Unix socket lies: a round trip through it costs the machine half of one through TCP. Null where
 * the path is too long for the system or would need quoting; then it is TCP.
 */
export function socketDirectory({ directory }: Pick<Cluster, 'directory'>): string | null {
  const longest = '/.s.PGSQL.65535.lock';
  const fits = directory.length + longest.length <= 100 && /^\/[\w./-]+$/.test(directory);
  return fits && process.platform !== 'win32' ? directory : null;
}

/** Connection string of one database of the cluster. */
export function clusterUrl(cluster: Omit<Cluster, 'durable'>, database: string): string {
  const { port, password } = cluster;
  const socket = socketDirectory(cluster);
  const by = socket === null ? '' : `?host=${encodeURIComponent(socket)}`;
  return `postgresql://headwater:${password}@127.0.0.1:${port}/${database}${by}`;
}

/** Made beside and renamed, so that an interrupted start never leaves half a cluster. */
async function createCluster(directory: string, passwordFile: string, durable: boolean): Promise<void> {
  const unfinished = `${directory}.new`;
  await rm(unfinished, { recursive: true, force: true });
  const { command, args } = asOrdinaryUser(
    withoutSettings({
      command: postgresBinaries().initdb,
      args: [
        ...['--pgdata', unfinished, '--username', 'headwater', '--pwfile', passwordFile],
        ...['--auth', 'scram-sha-256', '--encoding', 'UTF8', '--no-instructions'],
        ...['--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'],
        ...(durable ? [] : ['--no-sync']),
      ],
    }),
  );
  await promisify(execFile)(command, args, { timeout: 120_000 });
  await rename(unfinished, directory);
}

async function keptPort(file: string): Promise<number> {
  const known = Number(await readFile(file, 'utf8').catch(() => ''));
  if (known > 0 && (await isFree(known))) return known;
  const port = await freePort();
  await writeFile(file, String(port), { mode: 0o600 });
  return port;
}

/** The content of a private file, made on first use. */
export async function kept(file: string, make: () => string): Promise<string> {
  const known = await readFile(file, 'utf8').catch(() => '');
  if (known.trim()) return known.trim();
  const made = make();
  // Renamed into place: a start that is killed while writing leaves no empty or half file.
  await writeFile(`${file}.new`, made, { mode: 0o600 });
  await rename(`${file}.new`, file);
  return made;
}
