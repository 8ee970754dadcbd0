import { isRecord } from './probe';

/**
 * Why HLS plays although WebRTC was requested. `udp`: no connection. `b_frames`, `codec`: WebRTC cannot carry the
 * stream. `unavailable`: the server is full or does not respond.
 */
export const fallbackReasons = ['udp', 'b_frames', 'codec', 'unavailable'] as const;

export type FallbackReason = (typeof fallbackReasons)[number];

/**
 * Why HLS is used after the server rejected a WebRTC offer; null if HLS cannot play either and reports the reason itself.
 * @param status HTTP status of the response to the offer
 * @param body body of the response
 */
export function fallbackOf(status: number, body: string): FallbackReason | null {
  // The stream is not live, or this viewer may not watch.
  if ([401, 402, 403, 404, 409, 410].includes(status)) return null;
  if (status !== 406) return 'unavailable';
  return reasonIn(body) ?? 'codec';
}

/** Known `reason` in a JSON body; undefined without one. */
function reasonIn(body: string): FallbackReason | undefined {
  try {
    const value: unknown = JSON.parse(body);
    const reason = isRecord(value) && value['reason'];
    return fallbackReasons.find((candidate) => candidate === reason);
  } catch {
    return undefined;
  }
}
