const ANSWER_WITHIN_MS = 8000;

export interface ProbeResult {
  readonly event: 'found' | 'missing' | 'unreachable';
  /** The playlist lists subtitles, captions or audio tracks besides the renditions. */
  readonly hasTracks: boolean;
}

const noTracks = (event: ProbeResult['event']): ProbeResult => ({ event, hasTracks: false });

/** Asks whether the playlist can be fetched now. Never throws. */
export async function probePlaylist(src: string, signal: AbortSignal): Promise<ProbeResult> {
  try {
    const response = await fetch(src, {
      cache: 'no-store',
      credentials: 'omit',
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]),
    });
    if (response.ok) return { event: 'found', hasTracks: /^#EXT-X-MEDIA:/m.test(await response.text()) };
    return noTracks(response.status === 404 || response.status === 410 ? 'missing' : 'unreachable');
  } catch {
    return noTracks('unreachable');
  }
}
