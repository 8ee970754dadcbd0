import type { Engine, EngineEvents } from './engine';
import { HlsEngine } from './hls-engine';
import { isLivePlaylist } from './probe';

/**
 * Loads hls.js: the full build for playlists with subtitles or several audio tracks. Both branches import only the
 * default export.
 */
async function loadHls(full: boolean) {
  const { default: Hls } = await (full ? import('hls.js') : import('hls.js/light'));
  return Hls;
}

/**
 * Preloads the code of `createEngine` while the playlist loads. Not for a recorded video: only its playlist decides
 * which build plays it, and no page loads both.
 */
export function prepareEngine(video: HTMLVideoElement, src: string): void {
  if (isLivePlaylist(src) && !playsHlsItself(video)) void loadHls(false).catch(() => undefined);
}

interface EngineStart {
  /** Whether the playlist lists subtitles or audio tracks besides the renditions. */
  readonly hasTracks: boolean;
  /** Start position in seconds; undefined = the beginning, or the live edge. */
  readonly startAt: number | undefined;
  /** WHEP URL of a stream available over WebRTC; undefined: HLS only. */
  readonly whep: string | undefined;
}

/** Creates the engine for this browser; hls.js is loaded only when it is needed for an existing playlist. */
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
 * Whether to use the browser's own HLS player: in Safari, where it is better than Media Source Extensions, and in
 * browsers without those, such as iPhones before iOS 17.1 and in-app browsers.
 */
function playsHlsItself(video: HTMLVideoElement): boolean {
  if (video.canPlayType('application/vnd.apple.mpegurl') === '') return false;
  const hasMediaSource = 'MediaSource' in window || 'ManagedMediaSource' in window;
  return 'WebKitPlaybackTargetAvailabilityEvent' in window || !hasMediaSource;
}
