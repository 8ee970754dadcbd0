import type { Engine, EngineEvents } from './engine';
import { HlsEngine } from './hls-engine';
import { isLivePlaylist } from './probe';

/** The full build is for playlists with subtitles or more than one audio track; both import the default export only. */
async function loadHls(full: boolean) {
  const { default: Hls } = await (full ? import('hls.js') : import('hls.js/light'));
  return Hls;
}

/**
 * Prefetches what `createEngine` needs, so that it is there when the playlist is. Not for a video: only its playlist says
 * which build plays it, and no page loads both.
 */
export function prepareEngine(video: HTMLVideoElement, src: string): void {
  if (isLivePlaylist(src) && !playsHlsItself(video)) void loadHls(false).catch(() => undefined);
}

interface EngineStart {
  /** Whether the playlist lists subtitles or audio tracks besides the renditions. */
  readonly hasTracks: boolean;
  /** Seconds into the video; undefined = its beginning, or the live edge. */
  readonly startAt: number | undefined;
  /** Where the stream is offered over WebRTC; undefined: HLS plays. */
  readonly whep: string | undefined;
}

/**
 * The engine for this browser; hls.js is fetched only where it is needed, and only when there is
 * something to play.
 */
export async function createEngine(
  video: HTMLVideoElement,
  src: string,
  events: EngineEvents,
  { hasTracks, startAt, whep }: EngineStart,
): Promise<Engine> {
  if (whep !== undefined && 'RTCPeerConnection' in window) {
    const { WhepEngine } = await import('./whep-engine');
    return new WhepEngine(video, whep, events);
  }
  if (playsHlsItself(video)) {
    const { NativeEngine } = await import('./native-engine');
    return new NativeEngine(video, src, events, startAt);
  }
  const Hls = await loadHls(hasTracks);
  return new HlsEngine(Hls, video, src, events, startAt);
}

/**
 * True in Safari, the browser whose own HLS player is better than Media Source Extensions, and where there are none of those:
 * on an iPhone before iOS 17.1, also in the browsers inside of apps.
 */
function playsHlsItself(video: HTMLVideoElement): boolean {
  if (video.canPlayType('application/vnd.apple.mpegurl') === '') return false;
  const hasMediaSource = 'MediaSource' in window || 'ManagedMediaSource' in window;
  return 'WebKitPlaybackTargetAvailabilityEvent' in window || !hasMediaSource;
}
