/** Events of a stream, its recordings and its targets. */
export const streamScopedNames = [
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

/** Events of assets and tasks. */
const assetNames = [
  'asset.created',
  'asset.updated',
  'asset.ready',
  'asset.failed',
  'asset.deleted',
] as const;
const taskNames = ['task.spawned', 'task.updated', 'task.completed', 'task.failed'] as const;

/** Every name that a webhook can subscribe to. */
export const eventNames = [...streamScopedNames, ...assetNames, ...taskNames] as const;

/** Request to a webhook for a playback decision. It is not an event, but Studio API clients subscribe to it. */
export const accessControlEvent = 'playback.accessControl';

export type EventName = (typeof eventNames)[number];

/** Whether deliveries can have this name. */
export const isEventName = (name: string): name is EventName =>
  (eventNames as readonly string[]).includes(name);

/** Events of one stream, which contain its snapshot and sequence. */
export type StreamScopedEventName = (typeof streamScopedNames)[number];
