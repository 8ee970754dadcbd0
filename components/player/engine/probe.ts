import { broadcastStates, type Broadcast } from '@/lib/core/streams/broadcast';

const RESPONSE_TIMEOUT_MS = 8000;

/** Result of one request for a playlist. */
export interface Probe {
  /** `missing`: there is no playlist now. `unreachable`: no usable response. `deleted`: there will be none. */
  readonly result: 'found' | 'missing' | 'unreachable' | 'deleted' | 'rejected';
  /** Why there is no playlist, if the server says. */
  readonly broadcast?: Broadcast;
  /** Whether the playlist has `EXT-X-MEDIA` tags: subtitles, captions or separate audio tracks. */
  readonly hasExtraTracks?: boolean;
  /** Code of the reason if this viewer may not watch. */
  readonly rejection?: string;
}

/** Requests the playlist once. Never rejects: an error is the result `unreachable`. */
export async function probePlaylist(src: string, signal: AbortSignal): Promise<Probe> {
  try {
    const response = await fetch(probeUrl(src), {
      cache: 'no-store',
      credentials: 'omit',
      signal: AbortSignal.any([signal, AbortSignal.timeout(RESPONSE_TIMEOUT_MS)]),
    });
    const text = await response.text();
    const body: unknown = text.startsWith('{') ? JSON.parse(text) : undefined;
    const rejection = readRejection(body);
    if (rejection !== undefined) return { result: 'rejected', rejection };
    const broadcast = readBroadcast(body);
    if (broadcast) return { result: broadcast.state === 'deleted' ? 'deleted' : 'missing', broadcast };
    if (response.ok) return { result: 'found', hasExtraTracks: /^#EXT-X-MEDIA:/m.test(text) };
    return { result: response.status === 404 || response.status === 410 ? 'missing' : 'unreachable' };
  } catch {
    return { result: 'unreachable' };
  }
}

/** Whether this is the playlist of a stream, which has no subtitles and one audio track. */
export const isLivePlaylist = (src: string): boolean => src.includes('/hls/');

/**
 * URL that requests the playlist. With `?probe`, the origin responds to a request for an offline stream without an error
 * status, because browsers log every 404 to the console.
 */
export function probeUrl(src: string): string {
  if (!isLivePlaylist(src)) return src;
  return `${src}${src.includes('?') ? '&' : '?'}probe`;
}

/**
 * The `broadcast` of a response without a playlist; undefined if it is missing or its state is unknown to this
 * page.
 */
export function readBroadcast(body: unknown): Broadcast | undefined {
  const broadcast = isRecord(body) && isRecord(body['broadcast']) ? body['broadcast'] : {};
  const state = broadcastStates.find((candidate) => candidate === broadcast['state']);
  if (state === undefined) return undefined;
  const { endedAt, startsAt, recordingId } = broadcast;
  return {
    state,
    ...(typeof endedAt === 'number' ? { endedAt } : {}),
    ...(typeof startsAt === 'number' ? { startsAt } : {}),
    ...(typeof recordingId === 'string' ? { recordingId } : {}),
  };
}

/** The rejection code of a response to a viewer who may not watch, which the API calls `refusal`; undefined without one. */
export function readRejection(body: unknown): string | undefined {
  const rejection = isRecord(body) && body['refusal'];
  return typeof rejection === 'string' ? rejection : undefined;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
