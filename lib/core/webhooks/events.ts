/** Names of the events of a stream, its recordings and its targets. */
export const streamScopedEventNames = [
  'stream.started',
  'stream.idle',
  'stream.rejected',
  'stream.late',
  'stream.warning',
  'stream.recovered',
  'stream.switched',
  'stream.slate_started',
  'stream.slate_ended',
  'stream.viewers_stalling',
  'recording.started',
  'recording.waiting',
  'recording.ready',
  'multistream.connected',
  'multistream.error',
  'multistream.disconnected',
] as const;

/** Names of the events of assets. */
const assetEventNames = [
  'asset.created',
  'asset.updated',
  'asset.ready',
  'asset.failed',
  'asset.deleted',
] as const;
const taskEventNames = ['task.spawned', 'task.updated', 'task.completed', 'task.failed'] as const;

/** Names of all events. */
export const eventNames = [...streamScopedEventNames, ...assetEventNames, ...taskEventNames] as const;

/**
 * Name of the request for a playback decision to a webhook. It is no event, but clients of the Studio API
 * subscribe to it.
 */
export const accessControlEvent = 'playback.accessControl';

export type EventName = (typeof eventNames)[number];

/** Whether a name is the name of an event. */
export const isEventName = (name: string): name is EventName =>
  (eventNames as readonly string[]).includes(name);

/** Names of the events that contain a snapshot of a stream and a sequence number. */
export type StreamScopedEventName = (typeof streamScopedEventNames)[number];
