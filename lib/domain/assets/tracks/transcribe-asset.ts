import { recordAudit } from '@/lib/domain/audit';
import { type SystemContext, type TeamContext, transact, type InTransaction } from '@/lib/domain/context';
import type { transcribeAsset as transcribeAssetEndpoint } from '@/lib/contract/assets/transcribe';
import type { VideoSpec } from '@/lib/contract/assets/media-spec';
import type { BodyOf, ResponseOf } from '@/lib/contract/define-endpoint';
import { type Cue, captionLimits, formatWebVtt } from '@/lib/core/captions/caption-file';
import { generatedLabel, isSameLanguage } from '@/lib/core/captions/track-language';
import { AppError } from '@/lib/core/errors';
import { unfinishedTaskPhases } from '@/lib/core/tasks/task-state';
import type { Task } from '@/lib/generated/prisma/client';
import type { NewTask, RunningTask } from '@/lib/domain/tasks';
import { completeTask, createTask, lockTeam, serializeTask } from '@/lib/domain/tasks';
import { requireReadyAsset } from '../internal';
import { RunLostError } from '../processing/process-asset';
import { emitAssetEvent } from '../serialize';
import { uniqueLabel, MAX_TRACKS, requireRoomForTrack } from './tracks';

/** Parameters of a transcription. Stored as JSON, so it is a type instead of an interface. */
export type Transcription = { readonly language: string; readonly label?: string };

/** Pixels to encode, the unit of task costs: recognising a second of speech takes about as long as encoding a second of 480p. */
const COST_PER_SECOND = 854 * 480 * 25;

const labelOf = ({ language, label }: Transcription): string => label ?? generatedLabel(language);

/**
 * Creates a task that recognises the speech of an asset.
 * @throws AppError `not_found`, `invalid` (the language), `conflict` (the label is used, or a transcription is in
 * progress), `precondition_failed` (the server has no model, or the asset no audio), `rate_limited`
 */
export async function transcribeAsset(
  ctx: TeamContext,
  { id, body }: { readonly id: string; readonly body: BodyOf<typeof transcribeAssetEndpoint> },
): Promise<ResponseOf<typeof transcribeAssetEndpoint>> {
  return transact(ctx, async (tx) => {
    await lockTeam(tx);
    const task = await createTask(tx, await prepareTranscription(tx, id, body));
    await recordAudit(tx, { action: 'asset.transcription-requested', objectId: id });
    return { task: serializeTask(task) };
  });
}

/**
 * The task that repeats a failed or cancelled transcription; the caller creates it.
 * @throws AppError as `transcribeAsset`
 */
export function retryTranscription(
  tx: InTransaction<TeamContext>,
  id: string,
  { params }: Pick<Task, 'params'>,
): Promise<NewTask> {
  return prepareTranscription(tx, id, (params as { transcribe: Transcription }).transcribe);
}

async function prepareTranscription(
  tx: InTransaction<TeamContext>,
  id: string,
  request: Transcription,
): Promise<NewTask> {
  const asset = await requireReadyAsset(tx, id, 'transcribed');
  requireLanguage(tx, request.language);
  const spec = asset.videoSpec as VideoSpec | null;
  if (!spec?.tracks.some(({ type }) => type === 'audio'))
    throw new AppError('precondition_failed', 'the asset has no audio, so there is no speech to recognise');
  await requireRoomForTrack(tx, id, labelOf(request));
  const { language } = request;
  const runningCount = await tx.db.task.count({
    where: {
      teamId: tx.actor.teamId,
      type: 'transcribe',
      inputAssetId: id,
      phase: { in: [...unfinishedTaskPhases] },
      params: { path: ['transcribe', 'language'], equals: language },
    },
  });
  if (runningCount > 0)
    throw new AppError('conflict', {
      field: 'language',
      message: `subtitles in ${language} are already being generated`,
    });
  return {
    type: 'transcribe',
    params: { transcribe: request },
    inputAssetId: id,
    cost: COST_PER_SECOND * spec.duration,
    isDue: true,
  };
}

function requireLanguage({ settings: { speech } }: TeamContext, language: string): void {
  if (!speech) {
    const noModelMessage = 'this server recognises no speech: its operator has to set STT_MODEL_DIR';
    throw new AppError(
      'precondition_failed',
      `${noModelMessage} to the folder of a speech recognition model`,
    );
  }
  if (!speech.languages.some((modelLanguage) => isSameLanguage(modelLanguage, language)))
    throw new AppError('invalid', {
      field: 'language',
      message: `must be one of ${speech.languages.join(', ')} on this server`,
    });
}

/** The reason why recognised speech cannot become a track, as a text for the owner; null if it can. */
export function cuesProblem(cues: readonly Cue[]): string | null {
  if (cues.length === 0) return 'no speech was found in this asset';
  if (cues.length > captionLimits.cues) return `the subtitles have more than ${captionLimits.cues} lines`;
  // The same limit for the resulting WebVTT as for a track from a file (tracks.ts).
  return formatWebVtt(cues).length > captionLimits.characters * 2 ? 'the subtitles are too long' : null;
}

/**
 * Adds the track and completes the task, in one transaction.
 * @returns the reason why no track can be added; null on success
 * @throws RunLostError
 */
export async function completeTranscription(
  ctx: SystemContext,
  task: RunningTask,
  cues: readonly Cue[],
): Promise<string | null> {
  const request = (task.params as { transcribe: Transcription }).transcribe;
  const { inputAssetId: id } = task;
  if (id === null) return 'the asset was deleted';
  return transact(ctx, async (tx) => {
    await tx.db.$queryRaw`select 1 from "Asset" where "id" = ${id}::uuid for no key update`;
    const asset = await tx.db.asset.findFirst({ where: { id, teamId: task.teamId, deletedAt: null } });
    if (!asset) return 'the asset was deleted';
    const existingTracks = await tx.db.assetTrack.findMany({
      where: { assetId: id },
      select: { label: true },
    });
    if (existingTracks.length >= MAX_TRACKS) return `an asset can have at most ${MAX_TRACKS} tracks`;
    const { id: trackId } = await tx.db.assetTrack.create({
      data: {
        assetId: id,
        kind: 'subtitles',
        language: request.language,
        generated: true,
        label: uniqueLabel(labelOf(request), existingTracks),
        cues: cues.length,
        text: formatWebVtt(cues),
        createdAt: tx.clock.now(),
      },
      select: { id: true },
    });
    const output = { transcribe: { trackId, cues: cues.length } };
    if (!(await completeTask(tx, task, output))) throw new RunLostError();
    await emitAssetEvent(tx, 'asset.updated', asset);
    return null;
  });
}
