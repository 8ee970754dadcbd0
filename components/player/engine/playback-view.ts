import type { Broadcast } from '@/lib/core/streams/broadcast';
import type { AudioTrack, Rendition } from './engine';
import type { FallbackReason } from './fallback';
import type { Phase } from './phases';

/** Options that are fixed before playback starts. */
export interface PlaybackStart {
  /** True or false if known; undefined: the playlist is requested to find out. */
  readonly live: boolean | undefined;
  readonly broadcast: Broadcast | undefined;
  /** False: the first picture waits for the viewer. */
  readonly autoplay: boolean;
  /** Seconds into a video that has an end. */
  readonly startAt: number | undefined;
  /** Where the stream is offered over WebRTC; undefined: HLS plays. */
  readonly whep: string | undefined;
}

/** State of a playback that the player shows. */
export interface PlaybackView {
  phase: Phase;
  renditions: readonly Rendition[];
  /** Rendition asked for; -1 = automatic. */
  chosenRendition: number;
  /** Rendition on screen; -1 = not known. */
  shownRendition: number;
  /** Selectable audio tracks; empty if there is only one. */
  audioTracks: readonly AudioTrack[];
  /** Audio track that is heard; -1 = not known. */
  audioTrack: number;
  /** Seconds behind what happens now; null = not known. */
  latency: number | null;
  /** The viewer has fallen back from the live edge. */
  behind: boolean;
  /** Why nothing plays, as far as the server said. */
  broadcast: Broadcast | undefined;
  /** Why this viewer may not watch: a code of lib/core/access/playback-policy.ts. */
  refusal: string | undefined;
  /** Why HLS plays although WebRTC was asked for. */
  fallback: FallbackReason | undefined;
}

/** The initial view, before any request; `live` false: known to be offline. */
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
  refusal: undefined,
  fallback: undefined,
});
