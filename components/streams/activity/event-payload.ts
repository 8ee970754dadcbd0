import type { StreamEvent } from '@/lib/contract/webhooks/event-endpoints';

export type Payload = StreamEvent['payload'];

/**
 * Text in the payload of an event; undefined if the path has no text. The payload is not parsed with the schemas of the
 * contract, because they would be a third of the code of the page.
 */
export function textIn(payload: Payload, ...path: readonly string[]): string | undefined {
  const value = path.reduce<unknown>(
    (object, name) => (typeof object === 'object' && object !== null ? Reflect.get(object, name) : undefined),
    payload,
  );
  return typeof value === 'string' ? value : undefined;
}
