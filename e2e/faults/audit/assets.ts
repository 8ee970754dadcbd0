import { z } from 'zod';
import type { AssetEntry } from '../ledger';
import { sha256 } from '../load/remote-servers';
import type { Stage } from '../stage';
import type { Database } from './database';

const assetSchema = z.object({
  downloadUrl: z.string(),
  playbackUrl: z.string(),
  hash: z.array(z.object({ algorithm: z.string(), hash: z.string() })).optional(),
});

/** Numbers of what an audit has compared. */
export interface AssetCounts {
  readonly assets: number;
  /** Size of the assets. */
  readonly megabytes: number;
  readonly exports: number;
}

/**
 * Checks that every asset whose bytes were acknowledged is ready, downloads with the bytes that were sent, and has a playlist.
 * Skips assets that were audited before or that a client has deleted.
 */
export async function auditAssets(stage: Stage, database: Database): Promise<AssetCounts> {
  let assets = 0;
  let bytes = 0;
  for (const entry of stage.ledger.assets.values()) {
    if (entry.audited || !entry.acknowledged || entry.deletion) continue;
    bytes += await auditAsset(stage, database, entry);
    assets += 1;
    entry.audited = true;
  }
  return { assets, megabytes: Math.round(bytes / 1e6), exports: await auditExports(stage, database) };
}

/** @returns the number of bytes compared */
async function auditAsset({ api, journal }: Stage, database: Database, entry: AssetEntry): Promise<number> {
  const { id, sha256: sentHash } = entry;
  const [row] = await database.query<{ phase: string }>(
    'select phase, "deletedAt", "sourceKey" from "Asset" where id = $1',
    [id],
  );
  if (row?.phase !== 'ready') {
    journal.reportProblem('an acknowledged asset is not ready', id, { entry, row });
    return 0;
  }
  const { status, json } = await api.send('GET', `/api/asset/${id}`);
  const shownAsset = assetSchema.safeParse(json).data;
  if (status !== 200 || !shownAsset) {
    journal.reportProblem('an asset is not shown', id, { entry, status, json });
    return 0;
  }
  const file = await download(shownAsset.downloadUrl);
  if (file.status !== 200 || file.body.length === 0)
    journal.reportProblem('an asset does not download', id, { entry, status: file.status });
  else if (sentHash !== undefined && sha256(file.body) !== sentHash)
    journal.reportProblem('the bytes of an asset are not those that were sent', id, {
      entry,
      bytes: file.body.length,
    });
  const shownHash = shownAsset.hash?.find(({ algorithm }) => algorithm === 'sha256')?.hash;
  if (sentHash !== undefined && shownHash !== sentHash)
    journal.reportProblem('the hash of an asset is wrong', id, { entry, shownHash });
  const playlist = await download(shownAsset.playbackUrl);
  if (playlist.status !== 200 || !playlist.body.toString().startsWith('#EXTM3U'))
    journal.reportProblem('an asset does not play', id, { entry, status: playlist.status });
  return file.body.length;
}

interface TaskRow {
  readonly phase: string;
  readonly errorMessage: string | null;
}

/**
 * Checks that the task of each export exists, and that completed exports have sent all bytes to their URL.
 * @returns the number of exports compared
 */
async function auditExports({ journal, ledger, remote }: Stage, database: Database): Promise<number> {
  let count = 0;
  for (const entry of ledger.exports.values()) {
    if (entry.audited) continue;
    const query = 'select phase, "errorMessage" from "Task" where id = $1';
    const [row] = await database.query<TaskRow>(query, [entry.taskId]);
    const arrivedHashes = remote.exportedHashes.get(entry.sink ?? '') ?? [];
    if (!row) journal.reportProblem('an export is missing', entry.taskId, entry);
    else if (row.phase === 'completed' && entry.sink !== undefined) {
      count += 1;
      if (!arrivedHashes.includes(entry.sha256 ?? ''))
        journal.reportProblem('an export completed without its bytes', entry.taskId, {
          entry,
          arrived: arrivedHashes,
        });
    }
    if (row && row.phase !== 'cancelled') entry.audited = true;
  }
  return count;
}

/**
 * Downloads a URL.
 * @returns status 0 and an empty body if the request fails
 */
export async function download(url: string): Promise<{ status: number; body: Buffer }> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(60_000) });
    return { status: response.status, body: Buffer.from(await response.arrayBuffer()) };
  } catch {
    return { status: 0, body: Buffer.alloc(0) };
  }
}
