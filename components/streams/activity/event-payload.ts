import type { StreamEvent } from '@/lib/contract/webhooks/event-endpoints';

export type Payload = StreamEvent['payload'];

/**
 * Text in the payload of an event; undefined if there is no text at the path. The payload is not parsed with the schemas
 * of lib/contract, because they would be a third of the code of the page.
 * @param path names of nested fields: 'session', 'id'
 */
export function textIn(payload: Payload, ...path: readonly string[]): string | undefined {
  const value = path.reduce<unknown>(
    (object, name) => (typeof object === 'object' && object !== null ? Reflect.get(object, name) : undefined),
    payload,
  );
  return typeof value === 'string' ? value : undefined;
}
