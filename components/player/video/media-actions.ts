import { timelineOf } from './timeline';

/** Actions of buttons and keys on the <video> and its stage. */

const VOLUME_STEP = 0.1;

export function togglePlay(video: HTMLVideoElement): void {
  if (video.paused) void video.play().catch(() => undefined);
  else video.pause();
}

export function setVolume(video: HTMLVideoElement, volume: number): void {
  video.volume = Math.min(1, Math.max(0, volume));
  video.muted = video.volume === 0;
}

export function stepVolume(video: HTMLVideoElement, direction: 1 | -1): void {
  setVolume(video, (video.muted ? 0 : video.volume) + direction * VOLUME_STEP);
}

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

export async function toggleFullscreen(stage: HTMLElement, video: PhoneVideo): Promise<void> {
  try {
    if (document.fullscreenElement) await document.exitFullscreen();
    else if (document.fullscreenEnabled) await stage.requestFullscreen();
    else video.webkitEnterFullscreen?.();
  } catch {
    // The browser rejected full screen, for example in an embed without allow="fullscreen".
  }
}

/** Poster and storyboard of an asset, which the origin serves next to its playlist; null for other sources. */
export function picturesBeside(src: string | null): { poster: string; storyboard: string } | null {
  const [, folder, query = ''] = /^(.*\/asset\/[a-z0-9]{16}\/)index\.m3u8(\?.*)?$/.exec(src ?? '') ?? [];
  return folder === undefined
    ? null
    : { poster: `${folder}poster.jpg${query}`, storyboard: `${folder}storyboard.vtt${query}` };
}
