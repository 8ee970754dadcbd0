import type { Broadcast } from '@/lib/core/streams/broadcast';
import type { AudioTrack, Rendition } from './engine';
import type { FallbackReason } from './fallback';
import type { Phase } from './phases';

/** Options that are fixed before playback starts. */
export interface PlaybackStart {
  /** Whether the stream is live; undefined: the playlist is requested to find out. */
  readonly live: boolean | undefined;
  /** Why nothing plays at first, if the page knows. */
  readonly broadcast: Broadcast | undefined;
  /** Whether playback starts automatically. Otherwise the viewer must start it. */
  readonly autoplay: boolean;
  /** Start position in seconds of a video with an end. */
  readonly startAt: number | undefined;
  /** WHEP URL of a stream available over WebRTC; undefined: HLS only. */
  readonly whepUrl: string | undefined;
}

/** State of a playback that the player shows. */
export interface PlaybackView {
  phase: Phase;
  renditions: readonly Rendition[];
  /** Rendition chosen by the viewer; -1 = automatic. */
  chosenRendition: number;
  /** Rendition on screen; -1 = unknown. */
  shownRendition: number;
  /** Selectable audio tracks; empty if there is only one. */
  audioTracks: readonly AudioTrack[];
  /** Current audio track; -1 = unknown. */
  audioTrack: number;
  /** Seconds behind the present; null = unknown. */
  latency: number | null;
  /** Whether the viewer has fallen behind the live edge. */
  behind: boolean;
  /** Why nothing plays, if the server knows. */
  broadcast: Broadcast | undefined;
  /** Code of lib/core/access/playback-policy.ts if this viewer may not watch. */
  rejection: string | undefined;
  /** Why HLS plays although WebRTC was requested. */
  fallback: FallbackReason | undefined;
}

/**
 * The initial view, before any request.
 * @param live false if the stream is known to be offline
 */
export const firstView = (live: boolean | undefined, broadcast?: Broadcast): PlaybackView => ({
  phase: live === false || (broadcast && broadcast.state !== 'live') ? 'starts-soon' : 'connecting',
  renditions: [],
  chosenRendition: -1,
  shownRendition: -1,
  audioTracks: [],
  audioTrack: -1,
  latency: null,
  behind: false,
  broadcast,
  rejection: undefined,
  fallback: undefined,
});

/**
 * Phase and broadcast that the stage shows. If the stream is known to be offline, the player requests nothing, so the
 * reason of the page is shown, and "reconnecting" would be wrong.
 * @param live false if the stream is known to be offline
 * @param broadcast why nothing plays, from the page
 */
export function stageStateOf(
  view: PlaybackView,
  live: boolean | undefined,
  broadcast: Broadcast | undefined,
): Pick<PlaybackView, 'phase' | 'broadcast'> {
  if (live !== false) return { phase: view.phase, broadcast: view.broadcast };
  return { phase: view.phase === 'reconnecting' ? 'offline' : view.phase, broadcast };
}
