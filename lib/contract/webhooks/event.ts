import { z } from 'zod';
import { asset } from '@/lib/contract/assets/asset';
import { timestamp, uuid } from '@/lib/contract/primitives';
import { session } from '@/lib/contract/sessions/session';
import { stream } from '@/lib/contract/streams/stream';
import { task } from '@/lib/contract/tasks/task';
import { publishRejectionReasons } from '@/lib/core/streams/publish-admission';
import { stallCauses } from '@/lib/core/audience/explain-stall';
import { programInputs } from '@/lib/core/streams/program-state';
import { type EventName, type StreamScopedEventName, eventNames } from '@/lib/core/webhooks/events';

/** The stream at the time of the event, without its keys and its pull source. */
export const streamSnapshot = stream
  .omit({
    streamKey: true,
    backupStreamKey: true,
    srtPassphrase: true,
    pull: true,
    pullStatus: true,
    parentId: true,
    program: true,
  })
  .meta({ id: 'StreamSnapshot', description: 'The stream at the time of the event, without its keys.' });

export type StreamSnapshot = z.output<typeof streamSnapshot>;

/** The session with the asset of its recording. */
const recordedSession = session
  .extend({ assetId: uuid.exactOptional().meta({ description: 'The asset created from the recording.' }) })
  .meta({ id: 'RecordedSession' });
const sessionPayload = z.object({ session: recordedSession });
const targetSnapshot = z.object({ id: uuid, name: z.string(), profile: z.string() });
const targetPayload = z.object({ target: targetSnapshot });
const assetPayload = z.object({ asset: z.object({ id: uuid, snapshot: asset }) });
const taskPayload = z.object({ task: z.object({ id: uuid, type: task.shape.type, snapshot: task }) });
const endedTaskPayload = taskPayload.extend({ success: z.boolean() });

/** The payload of each event; null for an event without a payload. */
export const eventPayloads = {
  'stream.started': null,
  'stream.idle': null,
  'stream.rejected': z.object({
    reason: z.enum(publishRejectionReasons),
    message: z.string().meta({ description: 'Reason of the rejection.' }),
    address: z.string().meta({ description: 'IP address of the encoder.' }),
  }),
  'stream.late': null,
  'stream.warning': z.object({
    issues: z.array(z.string()).meta({ description: 'The problems, each with its remedy.' }),
  }),
  'stream.recovered': null,
  'stream.switched': z.object({
    to: z.enum(programInputs).meta({ description: 'The input that is on air now.' }),
  }),
  'stream.slate_started': null,
  'stream.slate_ended': null,
  'stream.viewers_stalling': z.object({
    share: z
      .number()
      .min(0)
      .max(1)
      .meta({ description: 'Share of the viewers that stalled within one minute.' }),
    viewers: z.int().min(0),
    cause: z.enum(stallCauses),
  }),
  'recording.started': sessionPayload,
  'recording.waiting': sessionPayload,
  'recording.ready': sessionPayload.extend({
    recordingUrl: z.string().meta({
      description: 'HLS playlist of the recording, or of its asset if the stream was deleted.',
    }),
    mp4Url: z
      .string()
      .meta({ description: 'MP4 file of the recording, or of its asset if the stream was deleted.' }),
  }),
  'multistream.connected': targetPayload,
  'multistream.error': targetPayload.extend({
    error: z.string().exactOptional().meta({ description: 'Error message.' }),
  }),
  'multistream.disconnected': targetPayload,
  'asset.created': assetPayload,
  'asset.updated': assetPayload,
  'asset.ready': assetPayload,
  'asset.failed': assetPayload,
  'asset.deleted': assetPayload,
  'task.spawned': taskPayload,
  'task.updated': taskPayload,
  'task.completed': endedTaskPayload,
  'task.failed': endedTaskPayload,
} as const satisfies Record<EventName, z.ZodObject | null>;

type PayloadOf<N extends EventName> = (typeof eventPayloads)[N] extends z.ZodType
  ? { readonly payload: z.output<(typeof eventPayloads)[N]> }
  : unknown;

type StreamFieldsOf<N extends EventName> = N extends StreamScopedEventName
  ? {
      readonly streamId: string;
      /** Number of the event among those of its stream, so that receivers can order them. */
      readonly sequence: number;
      readonly stream: StreamSnapshot;
    }
  : unknown;

/** An event as domain code emits it. Its `name` determines its payload. */
export type NewEvent = {
  [N in EventName]: { readonly name: N; readonly teamId: string } & StreamFieldsOf<N> & PayloadOf<N>;
}[EventName];

/** The fields that every delivery has. */
export const commonEventFields = {
  id: uuid.meta({
    description: 'Equal for every attempt and every webhook. Use it to detect duplicates.',
  }),
  webhookId: uuid,
  createdAt: timestamp.meta({ description: 'When the event happened.' }),
  timestamp: timestamp.meta({ description: 'When this attempt was sent. Covered by the signature.' }),
  test: z.literal(true).exactOptional().meta({ description: 'The event is a test.' }),
};

const sequence = z.int().exactOptional().meta({
  description: 'Sequence number of the event within its stream. Deliveries may arrive in any order.',
});

const streamFields = { sequence, stream: streamSnapshot };

type SchemaOf<N extends EventName> = z.ZodObject<
  typeof commonEventFields & { event: z.ZodLiteral<N> } & (N extends StreamScopedEventName
      ? typeof streamFields
      : unknown) &
    ((typeof eventPayloads)[N] extends z.ZodObject ? { payload: (typeof eventPayloads)[N] } : unknown)
>;

/** The body of a delivery of one event. */
export type EventOf<N extends EventName> = z.output<SchemaOf<N>>;

/** The body of a delivery of any event; its type follows from `event`. */
export type WebhookEvent = { [N in EventName]: EventOf<N> }[EventName];

/** Whether an event is about a stream, so that it has a snapshot of the stream and a sequence number. */
export const isStreamScoped = (name: EventName) => /^(stream|recording|multistream)\./.test(name);

/** Name of the schema of an event in the OpenAPI document: `StreamStartedEvent` for `stream.started`. */
const schemaIdOf = (name: EventName) =>
  `${name.replaceAll(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())}Event`;

/** The schema of the body of a delivery, for each event. */
export const eventSchemas: Readonly<Record<EventName, z.ZodObject>> = Object.fromEntries(
  eventNames.map((name) => {
    const payload = eventPayloads[name];
    const shape = {
      ...commonEventFields,
      event: z.literal(name),
      ...(isStreamScoped(name) ? streamFields : {}),
      ...(payload ? { payload } : {}),
    };
    return [name, z.object(shape).meta({ id: schemaIdOf(name) })];
  }),
) as unknown as Record<EventName, z.ZodObject>;
