import type { SessionState } from '@/lib/core/sessions/session-state';

/**
 * States of a session, which are the same on every page. `onAir`: the session can be watched live.
 * `waitingForEncoder`: there is no new media, but the session continues when its encoder sends. `processing`: the
 * session has ended, and its recording is being made. `ready`: the recording can be played. `off`: none of these.
 */
export const airStates = ['onAir', 'waitingForEncoder', 'processing', 'ready', 'off'] as const;
export type AirState = (typeof airStates)[number];

interface AirFacts {
  /** Whether the live playlist can be fetched. */
  readonly playable: boolean;
  /** Whether an encoder is connected. */
  readonly connected: boolean;
  /** Whether a reconnecting encoder continues the session. */
  readonly resumable: boolean;
  readonly recording: 'none' | 'pending' | 'ready';
}

/** The air state that follows from these facts. */
export function airStateOf({ playable, connected, resumable, recording }: AirFacts): AirState {
  if (playable && connected) return 'onAir';
  if (playable || connected || resumable) return 'waitingForEncoder';
  if (recording === 'pending') return 'processing';
  return recording === 'ready' ? 'ready' : 'off';
}

/** Properties of a session that determine its air state. */
export interface SessionAirFacts {
  readonly state: SessionState;
  /** Number of segments of the source that have been packaged. */
  readonly sourceSegments: number;
  readonly record: boolean;
  readonly recordingStatus?: 'waiting' | 'ready' | 'failed' | 'deleted' | 'none';
}

const recordingByStatus = {
  waiting: 'pending',
  ready: 'ready',
  failed: 'none',
  deleted: 'none',
  none: 'none',
} as const;

export function airStateOfSession({
  state,
  sourceSegments,
  record,
  recordingStatus = 'none',
}: SessionAirFacts): AirState {
  // Segments are counted every few seconds only, but a recording starts with the first segment.
  const hasSegments = sourceSegments > 0 || (record && recordingStatus === 'waiting');
  return airStateOf({
    playable: state === 'live' && hasSegments,
    connected: state === 'live',
    resumable: state === 'waiting',
    recording: record ? recordingByStatus[recordingStatus] : 'none',
  });
}

/** Properties of a stream that determine its air state. */
export interface StreamAirFacts {
  readonly isActive: boolean;
  readonly suspended: boolean;
  /**
   * Whether the connection of the encoder was lost and the encoder may still reconnect. The playlist stays
   * during this time.
   */
  readonly reconnecting: boolean;
}

/** The air state of the session in progress of a stream; `off` if nothing can be played. */
export function airStateOfStream({ isActive, suspended, reconnecting }: StreamAirFacts): AirState {
  const playable = isActive && !suspended;
  const isConnected = playable && !reconnecting;
  return airStateOf({ playable, connected: isConnected, resumable: false, recording: 'none' });
}

/** Seconds on air: the duration of the received video, without the time in which the encoder was away. */
export const onAirSeconds = ({
  sourceSegmentsDuration,
}: {
  readonly sourceSegmentsDuration: number;
}): number => sourceSegmentsDuration;
