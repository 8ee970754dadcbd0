import { isRecord } from './probe';

/**
 * Why HLS plays although WebRTC was requested. `udp`: no connection. `b_frames`, `codec`: WebRTC cannot carry the
 * stream. `unavailable`: the server is full or does not respond.
 */
export const fallbackReasons = ['udp', 'b_frames', 'codec', 'unavailable'] as const;

export type FallbackReason = (typeof fallbackReasons)[number];

/**
 * Why the server rejected an offer; null if HLS will report why nothing plays.
 * @param body body of the response
 */
export function fallbackOf(status: number, body: string): FallbackReason | null {
  // The stream is not live, or this viewer may not watch.
  if ([401, 402, 403, 404, 409, 410].includes(status)) return null;
  if (status !== 406) return 'unavailable';
  return reasonIn(body) ?? 'codec';
}

function reasonIn(body: string): FallbackReason | undefined {
  try {
    const value: unknown = JSON.parse(body);
    const reason = isRecord(value) && value['reason'];
    return fallbackReasons.find((candidate) => candidate === reason);
  } catch {
    return undefined;
  }
}
