import { z } from 'zod';
import { eventNames, type EventName, type StreamScopedEventName } from '@/lib/core/events';
import { eventHead, eventPayloads, streamSnapshot } from './event';

/** One payload schema per event, as webhook receivers see it. */

const sequence = z.int().exactOptional().meta({
  description: 'Sequence number of the event within its stream. Deliveries may arrive in any order.',
});

const streamPart = { sequence, stream: streamSnapshot };

type SchemaOf<N extends EventName> = z.ZodObject<
  typeof eventHead & { event: z.ZodLiteral<N> } & (N extends StreamScopedEventName
      ? typeof streamPart
      : unknown) &
    ((typeof eventPayloads)[N] extends z.ZodObject ? { payload: (typeof eventPayloads)[N] } : unknown)
>;

/** The JSON of a delivery of this event. */
export type EventOf<N extends EventName> = z.output<SchemaOf<N>>;

/** The JSON of any delivery, by `event`. */
export type WebhookEvent = { [N in EventName]: EventOf<N> }[EventName];

const isStreamScoped = (name: EventName) => /^(stream|recording|multistream)\./.test(name);

/** `StreamStartedEvent` */
const idOf = (name: EventName) =>
  `${name.replaceAll(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())}Event`;

export const eventSchemas: Readonly<Record<EventName, z.ZodObject>> = Object.fromEntries(
  eventNames.map((name) => {
    const payload = eventPayloads[name];
    const shape = {
      ...eventHead,
      event: z.literal(name),
      ...(isStreamScoped(name) ? streamPart : {}),
      ...(payload ? { payload } : {}),
    };
    return [name, z.object(shape).meta({ id: idOf(name) })];
  }),
) as unknown as Record<EventName, z.ZodObject>;
