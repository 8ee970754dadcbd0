import type { PublicStatus } from '@/lib/core/streams/public-status';
import type { AudioTrack, Rendition } from './engine';
import type { FallbackReason } from './fallback';
import type { Phase } from './phases';

/** Options that are fixed before playback starts. */
export interface PlaybackStartOptions {
  /** Whether the stream is live; undefined: the playlist is requested to find out. */
  readonly live: boolean | undefined;
  /** State of the stream when the page was rendered; undefined if unknown. */
  readonly publicStatus: PublicStatus | undefined;
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
  /** Delay of the frame on screen behind the encoder, in seconds; null = unknown. */
  latency: number | null;
  /** Whether the viewer has fallen behind the live edge. */
  isBehindLive: boolean;
  /** State of the stream, if the server reported it; it tells why nothing plays. */
  publicStatus: PublicStatus | undefined;
  /** Code of lib/core/access/playback-policy.ts if this viewer may not watch. */
  rejection: string | undefined;
  /** Why HLS plays although WebRTC was requested. */
  fallback: FallbackReason | undefined;
}

/**
 * The initial view, before any request.
 * @param live false if the stream is known to be offline
 */
export const initialView = (live: boolean | undefined, publicStatus?: PublicStatus): PlaybackView => ({
  phase: live === false || (publicStatus && publicStatus.state !== 'live') ? 'starts-soon' : 'connecting',
  renditions: [],
  chosenRendition: -1,
  shownRendition: -1,
  audioTracks: [],
  audioTrack: -1,
  latency: null,
  isBehindLive: false,
  publicStatus,
  rejection: undefined,
  fallback: undefined,
});

/**
 * Phase and public status that the player shows. If the stream is known to be offline, the player requests nothing, so
 * the status from the page is shown, and "reconnecting" would be wrong.
 * @param live false if the stream is known to be offline
 * @param publicStatus state of the stream, from the page
 */
export function stageStateOf(
  view: PlaybackView,
  live: boolean | undefined,
  publicStatus: PublicStatus | undefined,
): Pick<PlaybackView, 'phase' | 'publicStatus'> {
  if (live !== false) return { phase: view.phase, publicStatus: view.publicStatus };
  return { phase: view.phase === 'reconnecting' ? 'offline' : view.phase, publicStatus };
}
