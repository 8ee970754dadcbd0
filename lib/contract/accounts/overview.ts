import { z } from 'zod';
import { defineEndpoint } from '@/lib/contract/define-endpoint';
import { text, timestamp, uuid } from '@/lib/contract/primitives';
import { reason } from '@/lib/contract/reason';
import { liveStream, targetCounts } from './overview-live';

const count = z.int().min(0);
const minutes = z.number().min(0);

/** Kinds of objects that can have a problem. */
const problemKind = z.enum(['stream', 'rejection', 'target', 'recording', 'task', 'webhook', 'quota']);

/** A problem on the home page of the dashboard. */
const attentionItem = z
  .object({
    kind: problemKind.meta({
      description: '`rejection`: an encoder was not allowed to publish to a stream.',
    }),
    id: uuid.meta({
      description:
        'The stream, session, task or webhook. For `target`: the stream that uses it. For `quota`: the team.',
    }),
    assetId: uuid.exactOptional().meta({ description: 'For `task`: the asset of the task.' }),
    targetId: uuid.exactOptional().meta({ description: 'For `target`: the multistream target.' }),
    retry: z.enum(['again', 'convert']).exactOptional().meta({
      description:
        'For `task`: how it can be retried. `again`: with the same parameters. `convert`: with a conversion of its file. Absent: a retry would fail again.',
    }),
    name: z
      .string()
      .meta({ description: 'Name of the object. For `quota`: `storageBytes` or `viewerBytes`.' }),
    message: z.string().meta({ description: 'Description of the problem.' }),
    reason: reason.exactOptional(),
    at: timestamp.nullable().meta({
      description:
        'When the problem started. Null for `stream` and `quota`, which only have a current state.',
    }),
  })
  .meta({ id: 'AttentionItem' });

export type AttentionItem = z.output<typeof attentionItem>;

/** A stream whose next session is announced (`startsAt`). */
const comingStream = z
  .object({
    id: uuid,
    name: z.string(),
    startsAt: timestamp,
    late: z.boolean().meta({ description: 'Whether the stream is not live one minute after `startsAt`.' }),
    ready: z
      .object({
        keyUsed: z.boolean().meta({ description: 'An encoder has sent video with the stream key.' }),
        targetsTested: z.boolean().nullable().meta({
          description:
            'Whether the last attempt reached every multistream target. Null: there are no targets.',
        }),
        backup: z.boolean().meta({ description: 'Whether the stream accepts a second encoder.' }),
        slate: z.boolean(),
      })
      .meta({ description: 'Preparations for the announced session.' }),
  })
  .meta({ id: 'ComingStream' });

export type ComingStream = z.output<typeof comingStream>;

/** All data of the home page of the dashboard. */
const overview = z
  .object({
    live: z.object({
      count,
      streams: z.array(liveStream).meta({ description: 'The 12 most watched live streams.' }),
      viewers: count.exactOptional().meta({ description: 'Current viewers of all live streams.' }),
      bitrate: count.nullable().exactOptional().meta({
        description:
          'Sum of the ingest bitrates of all live streams in bits per second. Null if none was measured recently.',
      }),
      targets: targetCounts.exactOptional().meta({
        description:
          'Multistream targets of all live streams, without disabled ones. Absent if there are none.',
      }),
      lastLiveAt: timestamp
        .nullable()
        .exactOptional()
        .meta({ description: 'When a stream was last live; null: never. Absent while a stream is live.' }),
    }),
    attention: z
      .array(attentionItem)
      .meta({ description: 'Problems of the last three days, at most 5 of each kind.' }),
    dismissed: z
      .array(attentionItem)
      .exactOptional()
      .meta({ description: 'Problems that still exist and were dismissed, at most 5 of each kind.' }),
    coming: z
      .array(comingStream)
      .meta({ description: 'Announced streams that are not live, the next 5 by `startsAt`.' }),
    today: z
      .object({
        date: z.iso.date(),
        ingestedMinutes: minutes,
        deliveredMinutes: minutes,
        deliveredBytes: count,
        views: count.meta({ description: 'Views of live streams that started today.' }),
      })
      .meta({ description: 'The current day in UTC.' }),
    storedBytes: count,
    setup: z
      .object({
        streamCreated: z.boolean(),
        videoReceived: z.boolean(),
        videoStored: z
          .boolean()
          .exactOptional()
          .meta({ description: 'Whether the team has a recording or an upload.' }),
        watched: z
          .boolean()
          .exactOptional()
          .meta({ description: 'Whether one of the 100 newest streams or assets has a view.' }),
        memberInvited: z
          .boolean()
          .exactOptional()
          .meta({ description: 'Whether the team has a second member or an invitation.' }),
      })
      .meta({ description: 'First steps of a new team.' }),
  })
  .meta({ id: 'Overview' });

export type Overview = z.output<typeof overview>;

const exampleStreamId = 'f3a1c7de-93b8-4d26-9a55-2f5c2d4a7b10';

/** Endpoint with all data of the home page of the dashboard. The Studio API does not have it. */
export const getOverview = defineEndpoint({
  id: 'getOverview',
  method: 'GET',
  path: '/api/user/overview',
  auth: 'key-or-session',
  corsKeyAllowed: false,
  tag: 'Account',
  summary: 'Retrieve an overview',
  description: 'Live streams, problems, announced streams, and the numbers of the current day.',
  response: overview,
  status: 200,
  errors: [],
  example: {
    response: {
      live: {
        count: 1,
        streams: [
          {
            id: exampleStreamId,
            name: 'Town hall',
            playbackId: 'f3a1h2v9c8x7m6n5',
            since: 1_767_225_600_000,
            onAirSeconds: 3_540,
            viewers: 12,
            bitrate: 3_128_000,
            isHealthy: true,
            issues: [],
            targets: { connected: 1, count: 2 },
          },
        ],
        viewers: 12,
        bitrate: 3_128_000,
        targets: { connected: 1, count: 2 },
      },
      attention: [
        {
          kind: 'webhook',
          id: '5b0f8c1e-2f0a-4a53-9d0f-1c4b8a7e6d21',
          name: 'Chat bot',
          message: 'Deliveries have been failing since the last success. Last answer: HTTP 500.',
          at: 1_767_222_000_000,
        },
      ],
      dismissed: [],
      coming: [
        {
          id: 'c1d7e0aa-52ab-4f0e-8d3b-6a1b7c9e2f44',
          name: 'Evening concert',
          startsAt: 1_767_286_800_000,
          late: false,
          ready: { keyUsed: true, targetsTested: null, backup: false, slate: true },
        },
      ],
      today: {
        date: '2026-01-01',
        ingestedMinutes: 61.5,
        deliveredMinutes: 615,
        deliveredBytes: 921_600_000,
        views: 340,
      },
      storedBytes: 7_340_032,
      setup: {
        streamCreated: true,
        videoReceived: true,
        videoStored: true,
        watched: true,
        memberInvited: false,
      },
    },
  },
});

/** Dismisses a problem on the home page of the dashboard. */
export const dismissProblem = defineEndpoint({
  id: 'dismissProblem',
  method: 'PUT',
  path: '/api/dashboard/attention',
  auth: 'session',
  corsKeyAllowed: false,
  tag: 'Account',
  role: 'developer',
  summary: 'Dismiss a problem',
  description: "Hides a problem in the team's overview until it occurs again.",
  body: z.strictObject({
    kind: problemKind,
    id: uuid,
    name: text(500).meta({ description: 'Value from the overview.' }),
    message: text(5_000).meta({ description: 'Value from the overview.' }),
    at: timestamp.nullable().meta({ description: 'Value from the overview. Later occurrences are shown.' }),
  }),
  status: 204,
  errors: [],
  example: {
    body: {
      kind: 'webhook',
      id: '5b0f8c1e-2f0a-4a53-9d0f-1c4b8a7e6d21',
      name: 'Chat bot',
      message: 'Deliveries have been failing since the last success. Last answer: HTTP 500.',
      at: 1_767_222_000_000,
    },
  },
});
