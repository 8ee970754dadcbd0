/** Starts muted if the browser allows only that; otherwise the play button stays. */
export async function startVideo(video: HTMLVideoElement): Promise<void> {
  try {
    await video.play();
  } catch {
    if (video.muted) return;
    video.muted = true;
    await video.play().catch(() => undefined);
  }
}
