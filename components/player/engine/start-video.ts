/** Starts playback. If the browser rejects sound without a click, playback starts muted; if it rejects that too, not at all. */
export async function startVideo(video: HTMLVideoElement): Promise<void> {
  try {
    await video.play();
  } catch {
    if (video.muted) return;
    video.muted = true;
    await video.play().catch(() => undefined);
  }
}
