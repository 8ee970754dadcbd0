import { seekBy, seekTo } from './media-actions';
import { timelineOf } from './timeline';

/** Metadata for the media controls of the operating system. */
export interface MediaSessionMetadata {
  readonly title: string;
  /** Name of the owner's brand. */
  readonly artist: string | undefined;
  /** URL of an image. */
  readonly artwork: string | undefined;
}

/** Seek distance in seconds if the system does not specify one. */
const DEFAULT_SEEK_SECONDS = 10;
/** Events after which the position must be set again. Between them, the system computes it from the playback rate. */
const POSITION_EVENTS = ['durationchange', 'ratechange', 'seeked', 'playing', 'pause'] as const;

/**
 * Shows metadata in the media controls of the system (keyboards, headphones, lock screens), and handles play, pause and
 * seek.
 * @returns a function that removes metadata and handlers
 */
export function showMediaSession(video: HTMLVideoElement, metadata: MediaSessionMetadata): () => void {
  const { mediaSession } = navigator;
  const { title, artist = '', artwork } = metadata;
  mediaSession.metadata = new MediaMetadata({
    title,
    artist,
    artwork: artwork === undefined ? [] : [{ src: new URL(artwork, location.href).href }],
  });
  const handlers: readonly (readonly [MediaSessionAction, MediaSessionActionHandler])[] = [
    ['play', () => void video.play().catch(() => undefined)],
    ['pause', () => video.pause()],
    ['seekbackward', ({ seekOffset }) => void seekBy(video, -(seekOffset ?? DEFAULT_SEEK_SECONDS))],
    ['seekforward', ({ seekOffset }) => void seekBy(video, seekOffset ?? DEFAULT_SEEK_SECONDS)],
    ['seekto', ({ seekTime }) => seekTime !== undefined && timelineOf(video) && seekTo(video, seekTime)],
  ];
  for (const [action, handler] of handlers) setHandler(action, handler);
  const controller = new AbortController();
  const updatePosition = () => mediaSession.setPositionState(positionOf(video));
  for (const name of POSITION_EVENTS)
    video.addEventListener(name, updatePosition, { signal: controller.signal });
  updatePosition();
  return () => {
    controller.abort();
    for (const [action] of handlers) setHandler(action, null);
    mediaSession.setPositionState();
    mediaSession.metadata = null;
  };
}

/** Sets the handler of an action; null removes it. */
function setHandler(action: MediaSessionAction, handler: MediaSessionActionHandler | null): void {
  try {
    navigator.mediaSession.setActionHandler(action, handler);
  } catch {
    // The browser does not support this action.
  }
}

/**
 * Position for the media controls; undefined for a live stream, whose duration is infinite, and before the duration is known
 * (NaN).
 */
function positionOf({
  duration,
  currentTime,
  playbackRate,
}: HTMLVideoElement): MediaPositionState | undefined {
  if (!Number.isFinite(duration) || duration <= 0) return undefined;
  return { duration, position: Math.min(currentTime, duration), playbackRate };
}
