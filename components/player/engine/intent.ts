/** What the viewer wants of a <video>, which is not always what it does: a new source stops it without a `pause` event. */
export class Intent {
  /** The viewer has paused. */
  halted = false;
  /** Whether the viewer wants playback. */
  running = false;

  /** @param isPlaying a pause at the end, or while the stream is away, is not the viewer's */
  constructor(video: HTMLVideoElement, isPlaying: () => boolean, signal: AbortSignal) {
    const look = () => {
      this.halted = video.paused && !video.ended && isPlaying();
      this.running = !video.paused;
    };
    for (const event of ['pause', 'play']) video.addEventListener(event, look, { signal });
  }
}
