import { isRecord } from './probe';

/**
 * Why HLS plays although WebRTC was asked for. `udp`: no connection came about. `b_frames`, `codec`: the stream cannot be
 * played by it. `unavailable`: the server has no room, or does not answer.
 */
export const fallbackReasons = ['udp', 'b_frames', 'codec', 'unavailable'] as const;

export type FallbackReason = (typeof fallbackReasons)[number];

/** What a refused offer means; null: HLS says why nothing plays. @param body of the response */
export function fallbackOf(status: number, body: string): FallbackReason | null {
  // Not live, or not for this viewer.
  if ([401, 402, 403, 404, 409, 410].includes(status)) return null;
  if (status !== 406) return 'unavailable';
  return reasonIn(body) ?? 'codec';
}

function reasonIn(body: string): FallbackReason | undefined {
  try {
    const value: unknown = JSON.parse(body);
    const reason = isRecord(value) && value['reason'];
    return fallbackReasons.find((each) => each === reason);
  } catch {
    return undefined;
  }
}
