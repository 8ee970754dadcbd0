const ANSWER_WITHIN_MS = 8000;

export type ProbeResult = 'found' | 'missing' | 'unreachable';

/** Asks whether the playlist can be fetched now. Never throws. */
export async function probePlaylist(src: string, signal: AbortSignal): Promise<ProbeResult> {
  try {
    const response = await fetch(src, {
      cache: 'no-store',
      credentials: 'omit',
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]),
    });
    if (response.ok) return 'found';
    return response.status === 404 || response.status === 410 ? 'missing' : 'unreachable';
  } catch {
    return 'unreachable';
  }
}
