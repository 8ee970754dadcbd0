import type { SessionState } from '@/lib/core/sessions/session-state';

/**
 * State of a broadcast, equal on every page.
 * `onAir`: it can be watched live. `waitingForEncoder`: it can't, or not for long, but continues when its encoder sends.
 * `processing`: it has ended, and its recording is being made. `ready`: its recording can be played. `off`: none of these.
 */
export const airStates = ['onAir', 'waitingForEncoder', 'processing', 'ready', 'off'] as const;
export type AirState = (typeof airStates)[number];

interface AirFacts {
  /** Whether the live playlist can be fetched. */
  readonly playable: boolean;
  readonly connected: boolean;
  /** Whether a reconnecting encoder continues the broadcast. */
  readonly resumable: boolean;
  readonly recording: 'none' | 'pending' | 'ready';
}

export function airStateOf({ playable, connected, resumable, recording }: AirFacts): AirState {
  if (playable && connected) return 'onAir';
  if (playable || connected || resumable) return 'waitingForEncoder';
  if (recording === 'pending') return 'processing';
  return recording === 'ready' ? 'ready' : 'off';
}

/** Properties of a session that determine its air state. */
export interface SessionAirFacts {
  readonly state: SessionState;
  readonly sourceSegments: number;
  readonly record: boolean;
  readonly recordingStatus?: 'waiting' | 'ready' | 'failed' | 'deleted' | 'none';
}

const recordings = {
  waiting: 'pending',
  ready: 'ready',
  failed: 'none',
  deleted: 'none',
  none: 'none',
} as const;

export function sessionAir({
  state,
  sourceSegments,
  record,
  recordingStatus = 'none',
}: SessionAirFacts): AirState {
  // Segments are counted every few seconds; a recording starts with the first one.
  const hasSegments = sourceSegments > 0 || (record && recordingStatus === 'waiting');
  return airStateOf({
    playable: state === 'live' && hasSegments,
    connected: state === 'live',
    resumable: state === 'waiting',
    recording: record ? recordings[recordingStatus] : 'none',
  });
}

/** Properties of a stream that determine its air state. */
export interface StreamAirFacts {
  readonly isActive: boolean;
  readonly suspended: boolean;
  /** Whether the encoder may still reconnect. The playlist stays until then. */
  readonly reconnecting: boolean;
}

export function streamAir({ isActive, suspended, reconnecting }: StreamAirFacts): AirState {
  const playable = isActive && !suspended;
  const connected = playable && !reconnecting;
  return airStateOf({ playable, connected, resumable: false, recording: 'none' });
}

/** Seconds on air: duration of the received video, without the time that the encoder was away. */
export const onAirSeconds = ({
  sourceSegmentsDuration,
}: {
  readonly sourceSegmentsDuration: number;
}): number => sourceSegmentsDuration;
