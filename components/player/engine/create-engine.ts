import type { Engine, EngineEvents } from './engine';
import { HlsEngine } from './hls-engine';
import { isLivePlaylist } from './probe';

/** Loads hls.js: the full build for playlists with subtitles or several audio tracks, otherwise the light build. */
async function loadHls(isFullBuild: boolean) {
  const { default: Hls } = await (isFullBuild ? import('hls.js') : import('hls.js/light'));
  return Hls;
}

/**
 * Preloads the light build of hls.js while the playlist of a live stream loads. For a recorded video, the playlist
 * decides which build is needed, so nothing is preloaded.
 */
export function prepareEngine(video: HTMLVideoElement, src: string): void {
  if (isLivePlaylist(src) && !usesNativeHls(video)) void loadHls(false).catch(() => undefined);
}

interface EngineOptions {
  /** Whether the playlist has `EXT-X-MEDIA` tags: subtitles or separate audio tracks (RFC 8216 section 4.3.4.1). */
  readonly hasExtraTracks: boolean;
  /** Start position in seconds; undefined = the beginning, or the live edge. */
  readonly startAt: number | undefined;
  /** WHEP URL of a stream available over WebRTC; undefined: HLS only. */
  readonly whepUrl: string | undefined;
}

/** Creates the engine for this browser and stream, and loads only its code: WebRTC, native HLS or hls.js. */
export async function createEngine(
  video: HTMLVideoElement,
  src: string,
  events: EngineEvents,
  { hasExtraTracks, startAt, whepUrl }: EngineOptions,
): Promise<Engine> {
  if (whepUrl !== undefined && 'RTCPeerConnection' in window) {
    const { WhepEngine } = await import('./whep-engine');
    return new WhepEngine(video, whepUrl, events);
  }
  if (usesNativeHls(video)) {
    const { NativeEngine } = await import('./native-engine');
    return new NativeEngine(video, src, events, startAt);
  }
  const Hls = await loadHls(hasExtraTracks);
  return new HlsEngine(Hls, video, src, events, startAt);
}

/**
 * Whether to use the HLS player of the browser: in Safari, where it is better than Media Source Extensions, and in
 * browsers without Media Source Extensions, such as iPhones before iOS 17.1 and in-app browsers.
 */
function usesNativeHls(video: HTMLVideoElement): boolean {
  if (video.canPlayType('application/vnd.apple.mpegurl') === '') return false;
  const hasMediaSource = 'MediaSource' in window || 'ManagedMediaSource' in window;
  return 'WebKitPlaybackTargetAvailabilityEvent' in window || !hasMediaSource;
}
