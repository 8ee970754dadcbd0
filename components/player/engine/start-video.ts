/** Starts with sound off where the browser allows nothing else; a refusal leaves the play button. */
export async function startVideo(video: HTMLVideoElement): Promise<void> {
  try {
    await video.play();
  } catch {
    if (video.muted) return;
    video.muted = true;
    await video.play().catch(() => undefined);
  }
}
