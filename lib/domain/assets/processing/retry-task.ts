import type { TeamContext, InTransaction } from '@/lib/domain/context';
import type { BodyOf } from '@/lib/contract/define-endpoint';
import type { Task as TaskObject, retryTask as retryTaskEndpoint } from '@/lib/contract/tasks/task';
import { assetMachine, isReadyAsset } from '@/lib/core/assets/asset-state';
import { AppError, type Issue } from '@/lib/core/errors';
import { unfinishedTaskPhases } from '@/lib/core/tasks/task-state';
import type { Asset, Prisma, Task } from '@/lib/generated/prisma/client';
import { newId } from '@/lib/infra/ids';
import { advanceRecording } from '@/lib/domain/sessions';
import * as tasks from '@/lib/domain/tasks';
import type { NewTask } from '@/lib/domain/tasks';
import { requireReadyAsset } from '@/lib/domain/assets/internal';
import { conversionParam } from './requested-conversion';
import { findClipSession } from './create-clip';
import { markExportPending } from './pending-export';
import { checkReplaceable } from './replace-asset';
import { emitAssetEvent } from '@/lib/domain/assets/serialize';
import { retryTranscription } from '@/lib/domain/assets/tracks/transcribe-asset';

/**
 * Retries a failed or cancelled task as a new task for the same asset. The old task keeps its error. With `convert`, a
 * rejected file of an import is converted.
 * @throws AppError `not_found`; `invalid` if the task is unfinished or its input no longer exists; `conflict` or
 * `precondition_failed` if the asset cannot be replaced or transcribed at the moment; `rate_limited`
 */
export function retryTask(
  ctx: TeamContext,
  id: string,
  { convert }: BodyOf<typeof retryTaskEndpoint> = {},
): Promise<TaskObject> {
  return tasks.retryTask(ctx, id, async (tx, previousTask) => {
    if (previousTask.type === 'export') return retryExport(tx, previousTask);
    if (previousTask.type !== 'transcribe') return retryOutput(tx, previousTask, convert);
    return retryTranscription(tx, (await requireInput(tx, previousTask)).id, previousTask);
  });
}

const invalidError = (issue: Issue) => new AppError('invalid', issue);

/**
 * `params` of the retried import, with the conversion if requested.
 * @throws AppError `invalid`
 */
function convertedImport({ type, params }: Task, convert: true | undefined): Prisma.InputJsonObject {
  if (convert === undefined) return {};
  if (type !== 'import') throw invalidError({ field: 'convert', message: 'only imports convert files' });
  const { import: importParams } = params as { readonly import?: Prisma.InputJsonObject };
  return { import: { ...importParams, ...conversionParam(convert) } };
}

const paramsOf = ({ params }: Task) => params as Prisma.InputJsonObject;

/** Retries an import or transcode: the failed asset is produced again. */
async function retryOutput(
  tx: InTransaction<TeamContext>,
  previousTask: Task,
  convert?: true,
): Promise<NewTask> {
  const { teamId } = tx.actor;
  const output = previousTask.outputAssetId
    ? await tx.db.asset.findFirst({ where: { id: previousTask.outputAssetId, teamId, deletedAt: null } })
    : null;
  if (!output) throw invalidError('its output asset was deleted');
  if (output.replacesId !== null)
    await checkReplaceable(tx, await requireReadyAsset(tx, output.replacesId, 'replaced'));
  if (!assetMachine.nextState(output.phase, 'retried'))
    throw invalidError(`its output asset is ${output.phase}`);
  await requireInputAndResumeRecording(tx, previousTask, output);
  const [row] = await tx.db.asset.updateManyAndReturn({
    where: { id: output.id, teamId, deletedAt: null, phase: { in: assetMachine.statesBefore('retried') } },
    data: {
      phase: assetMachine.stateAfter('retried'),
      progress: null,
      errorMessage: null,
      statusUpdatedAt: tx.clock.now(),
      // The result of a download or transcode was deleted and is produced again.
      bytesRemovedAt: null,
      // The reservation was released when the task failed.
      reservedBytes: 0,
    },
  });
  if (!row) throw invalidError('its output asset is being changed');
  await emitAssetEvent(tx, 'asset.updated', row);
  return {
    type: previousTask.type as NewTask['type'],
    params: { ...paramsOf(previousTask), ...convertedImport(previousTask, convert) },
    ...(previousTask.work === null ? {} : { work: previousTask.work as Prisma.InputJsonObject }),
    ...(previousTask.inputAssetId === null ? {} : { inputAssetId: previousTask.inputAssetId }),
    outputAssetId: output.id,
    ...(output.replacesId === null ? {} : { replacesAssetId: output.replacesId }),
    cost: previousTask.cost,
    isDue: true,
  };
}

/** Checks that the input of the task still exists. The state of a recording becomes `importing` again. */
async function requireInputAndResumeRecording(
  tx: InTransaction<TeamContext>,
  previousTask: Task,
  output: Asset,
): Promise<void> {
  if (previousTask.type === 'transcode') await requireInput(tx, previousTask);
  else if (previousTask.type === 'clip') await checkClip(tx, previousTask, output);
  else if (output.sourceType === 'recording') await resumeRecording(tx, output);
  else if (output.sourceType === 'directUpload') {
    if (output.sourceKey === null)
      throw invalidError(
        `no file was received; request a new upload URL with POST /api/asset/${output.replacesId === null ? 'request-upload' : `${output.replacesId}/replace`}`,
      );
    if (output.bytesRemovedAt !== null) throw invalidError('the uploaded file is no longer available');
  }
}

async function checkClip(
  tx: InTransaction<TeamContext>,
  previousTask: Task,
  { clipSessionId }: Asset,
): Promise<void> {
  if (clipSessionId === null) await requireInput(tx, previousTask);
  else if (!(await findClipSession(tx, { id: clipSessionId, teamId: tx.actor.teamId })))
    throw invalidError('the recorded media is no longer available');
}

async function resumeRecording(tx: InTransaction<TeamContext>, { sourceSessionId }: Asset): Promise<void> {
  const where = { teamId: tx.actor.teamId, recordingRemovedAt: null };
  const session =
    sourceSessionId && (await tx.db.session.findFirst({ where: { ...where, id: sourceSessionId } }));
  if (!session || session.recording === 'deleted')
    throw invalidError('the recorded media is no longer available');
  await advanceRecording(tx, session, 'retried', { recordingError: null });
}

async function requireInput(tx: InTransaction<TeamContext>, { inputAssetId }: Task): Promise<Asset> {
  const where = { teamId: tx.actor.teamId, deletedAt: null, bytesRemovedAt: null };
  const input = inputAssetId && (await tx.db.asset.findFirst({ where: { ...where, id: inputAssetId } }));
  if (!input || !isReadyAsset(input.phase)) throw invalidError('its input asset was deleted');
  return input;
}

/** Credentials are sealed per task, so they are sealed again for the new task. */
async function retryExport(tx: InTransaction<TeamContext>, previousTask: Task): Promise<NewTask> {
  const { teamId } = tx.actor;
  const input = await requireInput(tx, previousTask);
  const params = paramsOf(previousTask);
  const sameExportCount = await tx.db.task.count({
    where: {
      teamId,
      type: 'export',
      inputAssetId: input.id,
      phase: { in: [...unfinishedTaskPhases] },
      params: { equals: params },
    },
  });
  if (sameExportCount > 0) throw invalidError('the same export is already in progress');
  const taskId = newId();
  const { ipfs } = params.export as { ipfs?: Parameters<typeof markExportPending>[2] };
  if (ipfs) await markExportPending(tx, input, ipfs, taskId);
  const sealedCredentials = previousTask.credentialsSealed;
  const secretContextOf = (id: string) => ({ kind: 'export-credentials', id, teamId }) as const;
  return {
    id: taskId,
    type: 'export',
    params,
    ...(sealedCredentials
      ? {
          credentialsSealed: tx.secrets.seal(
            secretContextOf(taskId),
            tx.secrets.open(secretContextOf(previousTask.id), sealedCredentials),
          ),
        }
      : {}),
    inputAssetId: input.id,
    isDue: true,
  };
}
