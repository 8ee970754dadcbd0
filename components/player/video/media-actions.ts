import { timelineOf } from './timeline';

const VOLUME_STEP = 0.1;

export function togglePlay(video: HTMLVideoElement): void {
  if (video.paused) void video.play().catch(() => undefined);
  else video.pause();
}

/** Sets the volume, 0 to 1. A volume of 0 mutes the video. */
export function setVolume(video: HTMLVideoElement, volume: number): void {
  video.volume = Math.min(1, Math.max(0, volume));
  video.muted = video.volume === 0;
}

export function stepVolume(video: HTMLVideoElement, direction: 1 | -1): void {
  setVolume(video, (video.muted ? 0 : video.volume) + direction * VOLUME_STEP);
}

/** Mutes or unmutes the video. If its volume is 0, unmuting sets it to half, so that something is audible. */
export function toggleMute(video: HTMLVideoElement): void {
  video.muted = !video.muted;
  if (!video.muted && video.volume === 0) video.volume = 0.5;
}

export function seekTo(video: HTMLVideoElement, seconds: number): void {
  video.currentTime = seconds;
}

/**
 * Seeks relative to the current position, within the seekable range.
 * @returns false if nothing is seekable
 */
export function seekBy(video: HTMLVideoElement, seconds: number): boolean {
  const timeline = timelineOf(video);
  if (!timeline) return false;
  seekTo(video, Math.min(timeline.end, Math.max(timeline.start, video.currentTime + seconds)));
  return true;
}

/** Seeks to a fraction of the seekable range, 0 to 1. */
export function seekToFraction(video: HTMLVideoElement, fraction: number): void {
  const timeline = timelineOf(video);
  if (timeline) seekTo(video, timeline.start + fraction * (timeline.end - timeline.start));
}

export async function togglePictureInPicture(video: HTMLVideoElement): Promise<void> {
  try {
    if (document.pictureInPictureElement) await document.exitPictureInPicture();
    else await video.requestPictureInPicture();
  } catch {
    // Browsers reject picture in picture before the first frame. The viewer can try again.
  }
}

/** Safari on a phone can only show the video element itself in full screen. */
type PhoneVideo = HTMLVideoElement & { webkitEnterFullscreen?: () => void };

/**
 * Opens or closes full screen.
 * @param stage element with the video and its controls, which is shown in full screen
 */
export async function toggleFullscreen(stage: HTMLElement, video: PhoneVideo): Promise<void> {
  try {
    if (document.fullscreenElement) await document.exitFullscreen();
    else if (document.fullscreenEnabled) await stage.requestFullscreen();
    else video.webkitEnterFullscreen?.();
  } catch {
    // The browser rejected full screen, for example in an embed without allow="fullscreen".
  }
}

/** URLs of the poster and the storyboard of an asset, which are next to its playlist; null for other playlists. */
export function assetImageUrlsOf(src: string | null): { poster: string; storyboard: string } | null {
  // A playback id has 16 characters.
  const [, folder, query = ''] = /^(.*\/asset\/[a-z0-9]{16}\/)index\.m3u8(\?.*)?$/.exec(src ?? '') ?? [];
  return folder === undefined
    ? null
    : { poster: `${folder}poster.jpg${query}`, storyboard: `${folder}storyboard.vtt${query}` };
}
