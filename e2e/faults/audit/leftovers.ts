import { join, relative } from 'node:path';
import { until } from '../service/child';
import { describe } from '../service/service';
import { filesBelow } from '../service/stored-files';
import type { Stage } from '../stage';
import type { Database } from './database';

/** Time for storyboards and thumbnails to finish, which `settle` does not wait for. */
const graceSeconds = 45;

/** Folders of DATA_DIR that are empty while the service is idle. */
const temporaryFolders = ['storage/parts', 'scratch', 'uploads/put', 'uploads/tus'] as const;

/** Checks that no file is without a row and that ended work left nothing behind. @returns number of stored objects */
export async function auditLeftovers(stage: Stage, database: Database): Promise<number> {
  await auditProcesses(stage);
  await auditTemporaryFiles(stage);
  const keys = await Promise.all(
    ['asset/', 'recording/', 'directUpload/'].map((prefix) => stage.files.keys(prefix)),
  );
  await auditObjects(stage, database, keys.flat());
  return keys.flat().length;
}

async function auditProcesses({ service, journal }: Stage): Promise<void> {
  // A child that has just ended is a zombie for a moment, and a storyboard may still be running.
  const suspicious = () => {
    const { all: allProcesses, ffmpeg } = service.processes();
    const zombies = allProcesses.filter(({ state }) => state === 'Z');
    return { zombies, ffmpeg, strays: service.strays() };
  };
  await until(
    graceSeconds,
    () => Object.values(suspicious()).every((processes) => processes.length === 0),
    1_000,
  );
  const suspects = suspicious();
  for (const zombie of suspects.zombies)
    journal.problem('a zombie process', String(zombie.pid), describe(zombie));
  for (const stray of suspects.strays) journal.problem('a stray process', String(stray.pid), describe(stray));
  for (const suspect of suspects.ffmpeg)
    journal.problem('ffmpeg runs although nothing is published', String(suspect.pid), describe(suspect));
}

async function auditTemporaryFiles({ service, journal }: Stage): Promise<void> {
  const filesLeft = async () =>
    (await Promise.all(temporaryFolders.map((folder) => filesBelow(join(service.dataDir, folder))))).flat();
  await until(graceSeconds, async () => (await filesLeft()).length === 0, 1_000);
  for (const { path, bytes } of await filesLeft())
    journal.problem('a file was left behind', relative(service.dataDir, path), { bytes });
}

interface OwnerRow {
  readonly id: string;
  readonly state: string;
}

async function auditObjects({ journal }: Stage, database: Database, keys: readonly string[]): Promise<void> {
  const states = async (sql: string) =>
    new Map((await database.rows<OwnerRow>(sql)).map(({ id, state }) => [id, state]));
  const assets = await states('select id, phase as state from "Asset"');
  const sessions = await states('select id, recording as state from "Session"');
  const uploads = await states('select "playbackId" as id, phase as state from "Asset"');
  for (const [folder, files] of byFolder(keys)) {
    const [kind = '', id = ''] = folder.split('/');
    const detail = { files: files.length, first: files[0] };
    if (kind === 'asset' && !assets.has(id)) journal.problem('files without an asset', folder, detail);
    if (kind === 'recording') {
      const state = sessions.get(id);
      if (state === undefined) journal.problem('files without a session', folder, detail);
      else if (['empty', 'none', 'deleted'].includes(state))
        journal.problem('files of a session without a recording', folder, { ...detail, state });
    }
    if (kind === 'directUpload') {
      const state = uploads.get(id);
      if (state === undefined) journal.problem('an upload without an asset', folder, detail);
      else if (state === 'ready')
        journal.problem('the upload of a ready asset was left behind', folder, detail);
    }
  }
}

/** Groups keys by their first two segments. */
function byFolder(keys: readonly string[]): Map<string, string[]> {
  const folders = new Map<string, string[]>();
  for (const key of keys) {
    const folder = key.split('/').slice(0, 2).join('/');
    folders.set(folder, [...(folders.get(folder) ?? []), key]);
  }
  return folders;
}
