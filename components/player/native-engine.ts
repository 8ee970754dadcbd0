import type { Engine, EngineEvents } from './engine';

const NOT_AVAILABLE = -1;

/** Safari plays HLS itself; it chooses renditions itself, too. */
export class NativeEngine implements Engine {
  readonly #failed = () => this.events.lost('unreachable');

  constructor(
    private readonly video: HTMLVideoElement,
    private readonly src: string,
    private readonly events: EngineEvents,
    private readonly startAt?: number,
  ) {}

  start(): void {
    this.video.addEventListener('error', this.#failed);
    this.video.src = this.src;
    if (this.startAt !== undefined) this.video.currentTime = this.startAt;
    this.events.rendition(NOT_AVAILABLE);
  }

  rest(): void {
    // Safari stops on its own when no more media arrives.
  }

  choose(): void {
    // Not offered: `renditions` is never reported.
  }

  latency(): number | null {
    const edge = this.livePosition();
    return edge === null ? null : Math.max(0, edge - this.video.currentTime);
  }

  livePosition(): number | null {
    const { seekable } = this.video;
    return seekable.length > 0 ? seekable.end(seekable.length - 1) : null;
  }

  destroy(): void {
    this.video.removeEventListener('error', this.#failed);
    this.video.removeAttribute('src');
    this.video.load();
  }
}

/** True in Safari, the browser whose own HLS player is better than Media Source Extensions. */
export function playsHlsItself(video: HTMLVideoElement): boolean {
  return (
    'WebKitPlaybackTargetAvailabilityEvent' in window &&
    video.canPlayType('application/vnd.apple.mpegurl') !== ''
  );
}
