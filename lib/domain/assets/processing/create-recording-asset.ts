import { inheritedPolicy } from '@/lib/domain/access';
import { emitAssetEvent } from '@/lib/domain/assets/serialize';
import { recordAudit } from '@/lib/domain/audit';
import { type SystemContext, transact } from '@/lib/domain/context';
import { type AssetPhase, firstAssetPhase } from '@/lib/core/assets/asset-state';
import { firstTaskPhase } from '@/lib/core/tasks/task-state';
import { newId, newPlaybackId } from '@/lib/infra/ids';
import { hlsFolder, mp4File } from '@/lib/core/sessions/recorded-segment';
import type { Gap } from '@/lib/core/sessions/recording-timeline';
import { recordingKey } from '@/lib/core/storage-keys';
import { type RecordingRun, endRecordingRun } from '@/lib/domain/sessions';
import { emitTaskEvent } from '@/lib/domain/tasks';

/** Storage locations of a finished recording. */
export interface RecordedFiles {
  /** Storage key of the whole recording as one MP4, with the `moov` box before the media. */
  readonly mp4Key: string;
  /** Folder of the HLS files. `index.m3u8` is the master playlist; all URIs in it are relative. */
  readonly hlsPrefix: string;
}

interface Recording extends RecordedFiles {
  readonly sessionId: string;
  readonly teamId: string;
  readonly name: string;
  readonly startedAt: Date;
}

interface RecordingAsset {
  readonly assetId: string;
  readonly playbackId: string;
  readonly phase: AssetPhase;
  /** Reason of the failure; null unless the phase is `failed`. */
  readonly errorMessage: string | null;
}

/**
 * Creates the asset of a recording whose playlist and MP4 are stored, and ends the run that made them.
 * @returns false if another run has started since; then nothing changed
 */
export async function importRecording(
  ctx: SystemContext,
  run: RecordingRun,
  { gaps }: { readonly gaps: readonly Gap[] },
): Promise<boolean> {
  return transact(ctx, async (tx) => {
    if (!(await endRecordingRun(tx, run, { gaps }))) return false;
    const { id: sessionId, teamId, name, createdAt: startedAt } = run.session;
    await createRecordingAsset(tx, {
      sessionId,
      teamId,
      name: `${name} · ${formatMinute(startedAt)}`,
      startedAt,
      mp4Key: recordingKey(sessionId, mp4File),
      hlsPrefix: recordingKey(sessionId, hlsFolder),
    });
    return true;
  });
}

/** Formats a date, for example as "2026-11-21 06:30 UTC". */
const formatMinute = (date: Date): string => `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/**
 * Creates the asset of a recorded session from stored files. The files are copied (linked on local disk), so they may be
 * deleted once the asset is ready. A session has one asset: further calls return its current state, so a caller can poll
 * until the phase is `ready` or `failed`. A deleted asset is not created again. The limit of queued tasks does not apply.
 */
export async function createRecordingAsset(
  ctx: SystemContext,
  { sessionId, teamId, name, startedAt, mp4Key, hlsPrefix }: Recording,
): Promise<RecordingAsset> {
  return transact(ctx, async (tx) => {
    // Callers for one session wait for each other here, so that they create one asset.
    await tx.db.$queryRaw`select 1 from "Session" where "id" = ${sessionId}::uuid for no key update`;
    const session = await tx.db.session.findUniqueOrThrow({ where: { id: sessionId } });
    const existingAsset = await tx.db.asset.findFirst({
      where: { teamId, sourceSessionId: sessionId, sourceType: 'recording' },
    });
    if (existingAsset) return toRecordingAsset(existingAsset);
    const now = tx.clock.now();
    const asset = await tx.db.asset.create({
      data: {
        id: newId(),
        teamId,
        name,
        playbackId: newPlaybackId(),
        phase: firstAssetPhase,
        statusUpdatedAt: now,
        createdAt: startedAt,
        sourceType: 'recording',
        sourceSessionId: sessionId,
        ...inheritedPolicy(session),
      },
    });
    const task = await tx.db.task.create({
      data: {
        id: newId(),
        teamId,
        type: 'import',
        phase: firstTaskPhase,
        statusUpdatedAt: now,
        createdAt: now,
        scheduledAt: now,
        params: { import: { recordedSessionId: sessionId } },
        work: { recorded: { mp4Key, hlsPrefix } },
        outputAssetId: asset.id,
      },
    });
    await recordAudit(tx, { action: 'asset.created', objectId: asset.id, teamId });
    await emitAssetEvent(tx, 'asset.created', asset);
    await emitTaskEvent(tx, 'task.spawned', task);
    return toRecordingAsset(asset);
  });
}

function toRecordingAsset(row: {
  id: string;
  playbackId: string;
  phase: AssetPhase;
  errorMessage: string | null;
}): RecordingAsset {
  const { id, playbackId, phase, errorMessage } = row;
  return { assetId: id, playbackId, phase, errorMessage };
}
