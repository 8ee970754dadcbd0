import { z } from 'zod';
import { taskId, uploadTask } from '@/lib/contract/assets/asset-examples';
import { fileHash, videoSpec } from '@/lib/contract/assets/media-spec';
import { defineEndpoint } from '@/lib/contract/define-endpoint';
import {
  maskedUrlDescription,
  idParams,
  listQuery,
  playbackId,
  timestamp,
  uuid,
} from '@/lib/contract/primitives';
import { profile } from '@/lib/contract/streams/profile';
import { taskMachine } from '@/lib/core/tasks/task-state';
import { reason } from '@/lib/contract/reason';

const assetSpec = z.object({
  hash: z.array(fileHash),
  name: z.string(),
  size: z.int().min(0),
  type: z.literal('video'),
  videoSpec,
});

const importOutput = z.object({ videoFilePath: z.string(), metadataFilePath: z.string(), assetSpec });

const taskParams = z.object({
  import: z
    .object({
      url: z.string().exactOptional().meta({ description: maskedUrlDescription }),
      uploadedObjectKey: z
        .string()
        .exactOptional()
        .meta({ description: 'Key of an uploaded file in the storage.' }),
      recordedSessionId: uuid.exactOptional(),
      replace: z
        .literal(true)
        .exactOptional()
        .meta({ description: 'The task replaces the file of its output asset.' }),
      convert: z
        .literal(true)
        .exactOptional()
        .meta({ description: 'A file that is not MP4 with H.264 and AAC is converted.' }),
    })
    .exactOptional(),
  export: z.record(z.string(), z.json()).exactOptional().meta({
    description: 'The body of the export request. Credentials and header values are replaced by ***.',
  }),
  transcode: z.object({ profile }).exactOptional(),
  transcribe: z.object({ language: z.string(), label: z.string().exactOptional() }).exactOptional(),
  clip: z
    .object({
      clipStrategy: z.object({
        playbackId,
        startTime: z.number().meta({
          description: 'Milliseconds: Unix time for a stream, time from the beginning for an asset.',
        }),
        endTime: z.number(),
      }),
      sessionId: uuid.exactOptional(),
    })
    .exactOptional(),
});

const taskOutput = z.object({
  import: importOutput.exactOptional(),
  transcode: z.object({ asset: importOutput }).exactOptional(),
  clip: z.object({ asset: importOutput }).exactOptional(),
  transcribe: z
    .object({ trackId: uuid, cues: z.int().min(1) })
    .exactOptional()
    .meta({ description: 'The track that was added to the input asset.' }),
  export: z
    .object({
      ipfs: z
        .object({
          videoFileCid: z.string(),
          videoFileUrl: z.string(),
          videoFileGatewayUrl: z.string(),
          nftMetadataCid: z.string().exactOptional(),
          nftMetadataUrl: z.string().exactOptional(),
          nftMetadataGatewayUrl: z.string().exactOptional(),
          notice: z
            .string()
            .exactOptional()
            .meta({ description: 'How the result differs from the request.' }),
        })
        .exactOptional(),
      custom: z.object({ url: z.string() }).exactOptional(),
    })
    .exactOptional(),
});

export const task = z
  .object({
    id: uuid,
    userId: uuid,
    type: z.enum(['import', 'export', 'transcode', 'clip', 'transcribe']),
    createdAt: timestamp,
    scheduledAt: timestamp.exactOptional(),
    inputAssetId: uuid.exactOptional(),
    outputAssetId: uuid
      .exactOptional()
      .meta({ description: 'The asset that the task produces, or whose file it replaces.' }),
    params: taskParams,
    output: taskOutput.exactOptional().meta({ description: 'Present once the task is completed.' }),
    status: z.object({
      phase: z.enum(['pending', 'waiting', 'running', 'failed', 'completed', 'cancelled']),
      updatedAt: timestamp,
      expectedAt: timestamp
        .exactOptional()
        .meta({ description: 'While it runs: estimated completion time at the current speed.' }),
      progress: z.number().min(0).max(1).exactOptional().meta({ description: '0 to 1; never decreases.' }),
      errorMessage: z.string().exactOptional().meta({
        description: 'Why the task failed or, while it waits, why it is retried at `scheduledAt`.',
      }),
      errorReason: reason.exactOptional(),
      retries: z.int().min(0).exactOptional(),
    }),
  })
  .meta({ id: 'Task' });

export type Task = z.output<typeof task>;

/** Fields of tasks for `filters` and `order`. `column` is the name of the database column if it differs. */
export const taskListFields = {
  id: { type: 'uuid' },
  createdAt: { type: 'timestamp' },
  updatedAt: { type: 'timestamp', column: 'statusUpdatedAt' },
  type: { type: 'text' },
  phase: { type: 'text', values: taskMachine.states },
  inputAssetId: { type: 'uuid', nullable: true },
  outputAssetId: { type: 'uuid', nullable: true },
} as const;

export const listTasks = defineEndpoint({
  id: 'listTasks',
  method: 'GET',
  path: '/api/task',
  auth: 'key-or-session',
  corsKeyAllowed: false,
  tag: 'Tasks',
  summary: 'List tasks',
  description: 'Tasks of the team, newest first.',
  query: listQuery,
  response: z.array(task),
  list: true,
  status: 200,
  errors: [400],
  example: { response: [uploadTask] },
});

export const getTask = defineEndpoint({
  id: 'getTask',
  method: 'GET',
  path: '/api/task/{id}',
  auth: 'key-or-session',
  corsKeyAllowed: true,
  tag: 'Tasks',
  summary: 'Retrieve a task',
  description: 'Progress of a task, and its output or error.',
  params: idParams,
  response: task,
  status: 200,
  errors: [],
  example: { params: { id: taskId }, response: uploadTask },
});

export const retryTask = defineEndpoint({
  id: 'retryTask',
  method: 'POST',
  path: '/api/task/{id}/retry',
  auth: 'key-or-session',
  corsKeyAllowed: false,
  tag: 'Tasks',
  summary: 'Retry a failed task',
  description:
    'Creates a new task with the same params for the same asset, which becomes `processing` again. The task must be failed or cancelled and its input must still exist: an uploaded file is kept for seven days after a failure.',
  params: idParams,
  body: z.strictObject({
    convert: z
      .literal(true)
      .exactOptional()
      .meta({ description: 'Convert the file of an import that was rejected for its container or codec.' }),
  }),
  response: task,
  status: 201,
  errors: [[422, 'The task has not failed, or its input no longer exists.']],
  example: {
    params: { id: taskId },
    body: { convert: true },
    response: { ...uploadTask, params: { import: { ...uploadTask.params.import, convert: true } } },
  },
});

export const cancelTask = defineEndpoint({
  id: 'cancelTask',
  method: 'POST',
  path: '/api/task/{id}/cancel',
  auth: 'key-or-session',
  corsKeyAllowed: false,
  tag: 'Tasks',
  summary: 'Cancel a task',
  description:
    'The output asset becomes `failed`; if the task replaces its file, it keeps the current one. A finished task cannot be cancelled.',
  params: idParams,
  response: task,
  status: 200,
  errors: [[422, 'The task is finished.']],
  example: {
    params: { id: taskId },
    response: { ...uploadTask, status: { ...uploadTask.status, phase: 'cancelled' } },
  },
});

export const taskEndpoints = [listTasks, getTask, cancelTask, retryTask] as const;
