import { broadcastStates, type Broadcast } from '@/lib/core/streams/broadcast';

const ANSWER_WITHIN_MS = 8000;

export interface Probe {
  readonly result: 'found' | 'missing' | 'unreachable' | 'deleted' | 'refused';
  /** Why there is no playlist, where the server says it. */
  readonly broadcast?: Broadcast;
  /** Whether the playlist lists subtitles, captions or audio tracks besides the renditions. */
  readonly hasTracks?: boolean;
  /** Why this viewer may not watch, as a code. */
  readonly refusal?: string;
}

/** Asks whether the playlist can be fetched now. Never throws. */
export async function probePlaylist(src: string, signal: AbortSignal): Promise<Probe> {
  try {
    const response = await fetch(probeUrl(src), {
      cache: 'no-store',
      credentials: 'omit',
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]),
    });
    const text = await response.text();
    const body: unknown = text.startsWith('{') ? JSON.parse(text) : undefined;
    const refusal = readRefusal(body);
    if (refusal !== undefined) return { result: 'refused', refusal };
    const broadcast = readBroadcast(body);
    if (broadcast) return { result: broadcast.state === 'deleted' ? 'deleted' : 'missing', broadcast };
    if (response.ok) return { result: 'found', hasTracks: /^#EXT-X-MEDIA:/m.test(text) };
    return { result: response.status === 404 || response.status === 410 ? 'missing' : 'unreachable' };
  } catch {
    return { result: 'unreachable' };
  }
}

/** The playlist of a stream, which has renditions only: no subtitles, one audio track. */
export const isLivePlaylist = (src: string): boolean => src.includes('/hls/');

/** A stream that is not live is no error to a probe: browsers write every 404 to the console. */
export function probeUrl(src: string): string {
  if (!isLivePlaylist(src)) return src;
  return `${src}${src.includes('?') ? '&' : '?'}probe`;
}

/** The `broadcast` of an answer without a playlist; undefined where there is none that this page knows. */
export function readBroadcast(body: unknown): Broadcast | undefined {
  const broadcast = isRecord(body) && isRecord(body['broadcast']) ? body['broadcast'] : {};
  const state = broadcastStates.find((each) => each === broadcast['state']);
  if (state === undefined) return undefined;
  const { endedAt, startsAt, recordingId } = broadcast;
  return {
    state,
    ...(typeof endedAt === 'number' ? { endedAt } : {}),
    ...(typeof startsAt === 'number' ? { startsAt } : {}),
    ...(typeof recordingId === 'string' ? { recordingId } : {}),
  };
}

/** The code of an answer to a viewer who may not watch. */
export function readRefusal(body: unknown): string | undefined {
  const refusal = isRecord(body) && body['refusal'];
  return typeof refusal === 'string' ? refusal : undefined;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
