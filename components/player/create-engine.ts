import type { Engine, EngineEvents } from './engine';
import { HlsEngine } from './hls-engine';
import { NativeEngine, playsHlsItself } from './native-engine';

/** Imports by name, so that the bundler drops unused exports. */
async function loadHls() {
  const { default: Hls } = await import('hls.js/light');
  return Hls;
}

/** Prefetches what `createEngine` needs, so that it is there when the playlist is. */
export function prepareEngine(video: HTMLVideoElement): void {
  if (!playsHlsItself(video)) void loadHls().catch(() => undefined);
}

/**
 * The engine for this browser; hls.js is fetched only where it is needed, and only when there is
 * something to play.
 * @param startAt seconds into a video that was interrupted there; left out = its beginning, or the live edge
 */
export async function createEngine(
  video: HTMLVideoElement,
  src: string,
  events: EngineEvents,
  startAt?: number,
): Promise<Engine> {
  if (playsHlsItself(video)) return new NativeEngine(video, src, events, startAt);
  const Hls = await loadHls();
  return new HlsEngine(Hls, video, src, events, startAt);
}
