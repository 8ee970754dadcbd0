import { MINUTE_MS } from '@/lib/core/units';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { WorkerContext } from '@/lib/domain/context';
import { unfinishedAssetPhases } from '@/lib/core/assets/asset-state';
import { parseSpoolFolder } from '@/lib/core/sessions/recording-spool';
import { unfinishedTaskPhases } from '@/lib/core/tasks/task-state';
import { isUuid } from '@/lib/infra/ids';

const UUID_LENGTH = 36;

/** A file that no row needs, or that a row needs and is missing. */
export interface AuditFinding {
  /** Key or folder in the storage, or a path below DATA_DIR. */
  readonly key: string;
  readonly reason: string;
}

interface LocalFolder {
  /** Path below DATA_DIR. */
  readonly path: string;
  /** Files changed within this time are in use. */
  readonly quietMs: number;
  /** @returns the reason why this entry is not needed; null if it is needed */
  readonly check: (ctx: WorkerContext, name: string) => Promise<string | null>;
}

const checkLeftover = () => Promise.resolve('a process was ended while it wrote this');

const folders: readonly LocalFolder[] = [
  { path: 'scratch', quietMs: MINUTE_MS, check: checkScratch },
  { path: 'spool', quietMs: MINUTE_MS, check: checkSpool },
  { path: 'uploads/put', quietMs: 12 * 60 * MINUTE_MS, check: checkLeftover },
  { path: 'uploads/tus', quietMs: 60 * MINUTE_MS, check: checkUpload },
];
/** Folders with one subfolder per process. */
const unfinishedFolders = ['storage/parts', 'storage/copies'];
const UNFINISHED_QUIET_MS = 10 * MINUTE_MS;

/** Unneeded files below DATA_DIR, outside the storage. */
export async function* findUnownedLocalFiles(ctx: WorkerContext): AsyncGenerator<AuditFinding> {
  const processFolders = await Promise.all(
    unfinishedFolders.map(async (path) => (await listNames(ctx, path)).map((owner) => `${path}/${owner}`)),
  );
  const leftoverFolders = processFolders
    .flat()
    .map((path) => ({ path, quietMs: UNFINISHED_QUIET_MS, check: checkLeftover }));
  for (const folder of [...folders, ...leftoverFolders]) yield* findUnownedIn(ctx, folder);
}

async function* findUnownedIn(
  ctx: WorkerContext,
  { path, quietMs, check }: LocalFolder,
): AsyncGenerator<AuditFinding> {
  const cutoffMs = ctx.clock.now().getTime() - quietMs;
  for (const name of await listNames(ctx, path)) {
    const fileStat = await stat(join(ctx.settings.dataDir, path, name)).catch(() => null);
    if (!fileStat || fileStat.mtimeMs > cutoffMs) continue;
    const reason = await check(ctx, name);
    if (reason !== null) yield { key: `${path}/${name}`, reason };
  }
}

/** File names of a folder; empty if it does not exist. */
async function listNames({ settings }: WorkerContext, path: string): Promise<string[]> {
  return readdir(join(settings.dataDir, path)).catch(() => []);
}

async function checkScratch({ db }: WorkerContext, name: string): Promise<string | null> {
  const id = name.slice(-UUID_LENGTH);
  if (!isUuid(id)) return 'neither a task nor an asset has this name';
  const taskFilter = { id, phase: { in: [...unfinishedTaskPhases] } };
  const filesFilter = { OR: [{ id, filesId: null }, { filesId: id }] };
  const assetFilter = { ...filesFilter, storyboardDueAt: { not: null }, bytesRemovedAt: null };
  const referenceCount =
    (await db.task.count({ where: taskFilter })) + (await db.asset.count({ where: assetFilter }));
  return referenceCount > 0 ? null : 'the task is over';
}

async function checkSpool({ db }: WorkerContext, name: string): Promise<string | null> {
  const folder = parseSpoolFolder(name);
  const id = folder?.lateOf ?? folder?.sessionId;
  if (id !== undefined && isUuid(id) && (await db.session.count({ where: { id } })) > 0) return null;
  return 'no session has this id';
}

/** The file name of an upload starts with the id of its asset. */
async function checkUpload({ db }: WorkerContext, name: string): Promise<string | null> {
  const id = name.slice(0, UUID_LENGTH);
  const openAssetFilter = { id, deletedAt: null, phase: { in: [...unfinishedAssetPhases] } };
  return isUuid(id) && (await db.asset.count({ where: openAssetFilter })) > 0 ? null : 'the upload is over';
}
