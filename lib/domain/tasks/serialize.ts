import type { Task as TaskObject } from '@/lib/contract/tasks/task';
import { maskUrl } from '@/lib/core/assets/masked-url';
import type { Task } from '@/lib/generated/prisma/client';
import { reasonField } from '@/lib/core/reasons/reason';

/** API representation of a task, without the sealed credentials; `output` is present only when completed. */
export function serializeTask(row: Task): TaskObject {
  const { phase } = row;
  const outputAssetId = row.replacesAssetId ?? row.outputAssetId;
  return {
    id: row.id,
    userId: row.teamId,
    type: row.type as TaskObject['type'],
    createdAt: row.createdAt.getTime(),
    ...(row.scheduledAt === null ? {} : { scheduledAt: row.scheduledAt.getTime() }),
    ...(row.inputAssetId === null ? {} : { inputAssetId: row.inputAssetId }),
    ...(outputAssetId === null ? {} : { outputAssetId }),
    params: shownParams(row.params as TaskObject['params']),
    ...(row.output === null || phase !== 'completed'
      ? {}
      : { output: row.output as NonNullable<TaskObject['output']> }),
    status: {
      phase,
      updatedAt: row.statusUpdatedAt.getTime(),
      ...(row.progress === null ? {} : { progress: row.progress }),
      ...(row.expectedAt === null || phase !== 'running' ? {} : { expectedAt: row.expectedAt.getTime() }),
      ...(row.errorMessage === null ? {} : { errorMessage: row.errorMessage }),
      ...reasonField('errorReason', row.errorMessage),
      ...(row.retries === 0 ? {} : { retries: row.retries }),
    },
  };
}

/** Masks import URLs, because old rows hold the full URL. */
function shownParams(params: TaskObject['params']): TaskObject['params'] {
  const url = params.import?.url;
  return url === undefined ? params : { ...params, import: { ...params.import, url: maskUrl(url) } };
}
