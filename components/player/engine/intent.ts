/**
 * Whether the viewer wants a <video> to play. The properties of the element do not tell, because a new source stops it
 * without a `pause` event.
 */
export class PlaybackIntent {
  /** Whether the viewer has paused playback. */
  isPausedByViewer = false;
  /** Whether the viewer wants playback. */
  wantsPlayback = false;

  /** @param isPlaying returns whether media plays: otherwise a pause was not caused by the viewer */
  constructor(video: HTMLVideoElement, isPlaying: () => boolean, signal: AbortSignal) {
    const update = () => {
      this.isPausedByViewer = video.paused && !video.ended && isPlaying();
      this.wantsPlayback = !video.paused;
    };
    for (const event of ['pause', 'play']) video.addEventListener(event, update, { signal });
  }
}
