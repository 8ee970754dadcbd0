import { publicStates, type PublicStatus } from '@/lib/core/streams/public-status';

const RESPONSE_TIMEOUT_MS = 8000;

/** Result of one request for a playlist. */
export interface Probe {
  /**
   * `missing`: there is no playlist now. `unreachable`: no usable response. `deleted`: there will be no playlist.
   * `rejected`: this viewer may not watch.
   */
  readonly result: 'found' | 'missing' | 'unreachable' | 'deleted' | 'rejected';
  /** State of a stream without a playlist, if the server reports it. */
  readonly publicStatus?: PublicStatus;
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
    const publicStatus = readPublicStatus(body);
    if (publicStatus)
      return { result: publicStatus.state === 'deleted' ? 'deleted' : 'missing', publicStatus };
    if (response.ok) return { result: 'found', hasExtraTracks: /^#EXT-X-MEDIA:/m.test(text) };
    return { result: response.status === 404 || response.status === 410 ? 'missing' : 'unreachable' };
  } catch {
    return { result: 'unreachable' };
  }
}

/**
 * Whether this is the playlist of a stream, which has no subtitles and one audio track. The path of an asset has
 * `/asset/` instead.
 */
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
 * State of the stream in a response without a playlist, which the API calls `broadcast`; undefined if it is missing or
 * unknown to this page.
 */
export function readPublicStatus(body: unknown): PublicStatus | undefined {
  const publicStatus = isRecord(body) && isRecord(body['broadcast']) ? body['broadcast'] : {};
  const state = publicStates.find((candidate) => candidate === publicStatus['state']);
  if (state === undefined) return undefined;
  const { endedAt, startsAt, recordingId } = publicStatus;
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
