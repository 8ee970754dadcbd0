import { broadcastStates, type Broadcast } from '@/lib/core/streams/broadcast';

const ANSWER_WITHIN_MS = 8000;

export interface Probe {
  readonly result: 'found' | 'missing' | 'unreachable' | 'deleted';
  /** Why there is no playlist, where the server says it. */
  readonly broadcast?: Broadcast;
  /** The playlist lists subtitles, captions or audio tracks besides the renditions. */
  readonly hasTracks?: boolean;
}

/** Asks whether the playlist can be fetched now. Never throws. */
export async function probePlaylist(src: string, signal: AbortSignal): Promise<Probe> {
  try {
    const response = await fetch(src, {
      cache: 'no-store',
      credentials: 'omit',
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]),
    });
    if (response.ok) return { result: 'found', hasTracks: /^#EXT-X-MEDIA:/m.test(await response.text()) };
    if (response.status !== 404 && response.status !== 410) return { result: 'unreachable' };
    const broadcast = readBroadcast(await response.json().catch(() => null));
    if (!broadcast) return { result: 'missing' };
    return { result: broadcast.state === 'deleted' ? 'deleted' : 'missing', broadcast };
  } catch {
    return { result: 'unreachable' };
  }
}

/** The `broadcast` of an error body; undefined where there is none that this page knows. */
export function readBroadcast(body: unknown): Broadcast | undefined {
  const found = isRecord(body) && isRecord(body['broadcast']) ? body['broadcast'] : {};
  const state = broadcastStates.find((each) => each === found['state']);
  if (state === undefined) return undefined;
  const { endedAt, recordingId } = found;
  return {
    state,
    ...(typeof endedAt === 'number' ? { endedAt } : {}),
    ...(typeof recordingId === 'string' ? { recordingId } : {}),
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
