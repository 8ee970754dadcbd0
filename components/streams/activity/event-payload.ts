import type { StreamEvent } from '@/lib/contract/webhooks/event-endpoints';

export type Payload = StreamEvent['payload'];

/**
 * A text in the payload of an event; undefined if it has none. The schemas of the contract would be a third of the code of
 * a stream's page.
 */
export function textIn(payload: Payload, ...path: readonly string[]): string | undefined {
  const value = path.reduce<unknown>(
    (object, name) => (typeof object === 'object' && object !== null ? Reflect.get(object, name) : undefined),
    payload,
  );
  return typeof value === 'string' ? value : undefined;
}
