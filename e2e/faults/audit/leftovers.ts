import { join, relative } from 'node:path';
import { until } from '../service/child';
import { describe } from '../service/service';
import { filesBelow } from '../service/stored-files';
import type { Stage } from '../stage';
import type { Database } from './database';

/** By then storyboards and thumbnails are done, which `settle` cannot see. */
const quietSeconds = 45;

/** Folders of DATA_DIR that hold something only while work is under way. */
const passing = ['storage/parts', 'scratch', 'uploads/put', 'uploads/tus'] as const;

/** No file without a row, and nothing left of work that ended or died. @returns objects in the storage */
export async function auditLeftovers(stage: Stage, database: Database): Promise<number> {
  await auditProcesses(stage);
  await auditPassingFiles(stage);
  const keys = await Promise.all(
    ['asset/', 'recording/', 'directUpload/'].map((prefix) => stage.files.keys(prefix)),
  );
  await auditObjects(stage, database, keys.flat());
  return keys.flat().length;
}

async function auditProcesses({ service, journal }: Stage): Promise<void> {
  // A child that has just ended is a zombie until it is noticed, and a picture may be in the making.
  const suspicious = () => {
    const { all, ffmpeg } = service.processes();
    const zombies = all.filter(({ state }) => state === 'Z');
    return { zombies, ffmpeg, strays: service.strays() };
  };
  await until(
    quietSeconds,
    () => Object.values(suspicious()).every((processes) => processes.length === 0),
    1_000,
  );
  const found = suspicious();
  for (const zombie of found.zombies) journal.problem('a zombie', String(zombie.pid), describe(zombie));
  for (const stray of found.strays) journal.problem('a stray process', String(stray.pid), describe(stray));
  for (const left of found.ffmpeg)
    journal.problem('ffmpeg runs and nothing is published', String(left.pid), describe(left));
}

async function auditPassingFiles({ service, journal }: Stage): Promise<void> {
  const left = async () =>
    (await Promise.all(passing.map((folder) => filesBelow(join(service.dataDir, folder))))).flat();
  await until(quietSeconds, async () => (await left()).length === 0, 1_000);
  for (const { path, bytes } of await left())
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
    if (kind === 'asset' && !assets.has(id)) journal.problem('files of no asset', folder, detail);
    if (kind === 'recording') {
      const state = sessions.get(id);
      if (state === undefined) journal.problem('files of no session', folder, detail);
      else if (['empty', 'none', 'deleted'].includes(state))
        journal.problem('files of a recording that is none', folder, { ...detail, state });
    }
    if (kind === 'directUpload') {
      const state = uploads.get(id);
      if (state === undefined) journal.problem('an upload of no asset', folder, detail);
      else if (state === 'ready') journal.problem('an upload was left beside its asset', folder, detail);
    }
  }
}

/** By the first two segments of a key. */
function byFolder(keys: readonly string[]): Map<string, string[]> {
  const folders = new Map<string, string[]>();
  for (const key of keys) {
    const folder = key.split('/').slice(0, 2).join('/');
    folders.set(folder, [...(folders.get(folder) ?? []), key]);
  }
  return folders;
}
