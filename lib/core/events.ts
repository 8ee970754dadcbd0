/** Events of specification §6, and nothing else: a webhook subscribes to these names. */
export const eventNames = [
  'stream.started',
  'stream.idle',
  'recording.started',
  'recording.waiting',
  'recording.ready',
  'multistream.connected',
  'multistream.error',
  'multistream.disconnected',
] as const;

export type EventName = (typeof eventNames)[number];

/** The two events that follow `isActive`; they alternate, beginning with `stream.started`. */
export type StreamEventName = Extract<EventName, `stream.${string}`>;
