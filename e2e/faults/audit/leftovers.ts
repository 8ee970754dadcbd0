import { join, relative } from 'node:path';
import { until } from '../service/until';
import { describeProcess } from '../service/service';
import { listFiles } from '../service/stored-files';
import type { Stage } from '../stage';
import type { Database } from './database';

/** Time for storyboards and thumbnails to finish. `settle` does not wait for them. */
const GRACE_SECONDS = 45;

/** Folders of DATA_DIR that are empty while the service is idle. */
const temporaryFolders = ['storage/parts', 'scratch', 'uploads/put', 'uploads/tus'] as const;

/**
 * Checks that every stored object has a row, and that no processes and temporary files are left.
 * @returns the number of stored objects
 */
export async function auditLeftovers(stage: Stage, database: Database): Promise<number> {
  await auditProcesses(stage);
  await auditTemporaryFiles(stage);
  const keys = await Promise.all(
    ['asset/', 'recording/', 'directUpload/'].map((prefix) => stage.files.listKeys(prefix)),
  );
  await auditObjects(stage, database, keys.flat());
  return keys.flat().length;
}

async function auditProcesses({ service, journal }: Stage): Promise<void> {
  // A child that has just ended is a zombie for a moment, and ffmpeg may be making a storyboard.
  const findSuspects = () => {
    const { all: allProcesses, ffmpeg } = service.findProcesses();
    const zombies = allProcesses.filter(({ state }) => state === 'Z');
    return { zombies, ffmpeg, strays: service.findStrayProcesses() };
  };
  await until(
    GRACE_SECONDS,
    () => Object.values(findSuspects()).every((processes) => processes.length === 0),
    1_000,
  );
  const suspects = findSuspects();
  for (const zombie of suspects.zombies)
    journal.reportProblem('a zombie process', String(zombie.pid), describeProcess(zombie));
  for (const stray of suspects.strays)
    journal.reportProblem('a stray process', String(stray.pid), describeProcess(stray));
  for (const suspect of suspects.ffmpeg)
    journal.reportProblem(
      'ffmpeg runs although nothing is published',
      String(suspect.pid),
      describeProcess(suspect),
    );
}

async function auditTemporaryFiles({ service, journal }: Stage): Promise<void> {
  const findFiles = async () =>
    (await Promise.all(temporaryFolders.map((folder) => listFiles(join(service.dataDir, folder))))).flat();
  await until(GRACE_SECONDS, async () => (await findFiles()).length === 0, 1_000);
  for (const { path, bytes } of await findFiles())
    journal.reportProblem('a file was left behind', relative(service.dataDir, path), { bytes });
}

interface OwnerRow {
  readonly id: string;
  readonly state: string;
}

async function auditObjects({ journal }: Stage, database: Database, keys: readonly string[]): Promise<void> {
  const readStates = async (sql: string) =>
    new Map((await database.query<OwnerRow>(sql)).map(({ id, state }) => [id, state]));
  const assets = await readStates('select id, phase as state from "Asset"');
  const sessions = await readStates('select id, recording as state from "Session"');
  // The file of an upload is stored under the playback id of its asset.
  const uploads = await readStates('select "playbackId" as id, phase as state from "Asset"');
  for (const [folder, files] of groupByFolder(keys)) {
    const [kind = '', id = ''] = folder.split('/');
    const detail = { files: files.length, first: files[0] };
    if (kind === 'asset' && !assets.has(id)) journal.reportProblem('files without an asset', folder, detail);
    if (kind === 'recording') {
      const state = sessions.get(id);
      if (state === undefined) journal.reportProblem('files without a session', folder, detail);
      else if (['empty', 'none', 'deleted'].includes(state))
        journal.reportProblem('files of a session without a recording', folder, { ...detail, state });
    }
    if (kind === 'directUpload') {
      const state = uploads.get(id);
      if (state === undefined) journal.reportProblem('an upload without an asset', folder, detail);
      else if (state === 'ready')
        journal.reportProblem('the upload of a ready asset was left behind', folder, detail);
    }
  }
}

/** Groups keys by their first two path components. */
function groupByFolder(keys: readonly string[]): Map<string, string[]> {
  const folders = new Map<string, string[]>();
  for (const key of keys) {
    const folder = key.split('/').slice(0, 2).join('/');
    folders.set(folder, [...(folders.get(folder) ?? []), key]);
  }
  return folders;
}
