/**
 * Whether the viewer wants a <video> to play. The element alone does not tell: a new source stops it without a
 * `pause` event.
 */
export class Intent {
  /** The viewer has paused. */
  halted = false;
  /** Whether the viewer wants playback. */
  running = false;

  /** @param isPlaying false at the end or while the stream is away, when a pause is not the viewer's */
  constructor(video: HTMLVideoElement, isPlaying: () => boolean, signal: AbortSignal) {
    const look = () => {
      this.halted = video.paused && !video.ended && isPlaying();
      this.running = !video.paused;
    };
    for (const event of ['pause', 'play']) video.addEventListener(event, look, { signal });
  }
}
