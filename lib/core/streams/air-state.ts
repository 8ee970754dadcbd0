import type { SessionState } from '@/lib/core/recordings/session-state';

/**
 * Where a broadcast stands, the same on every page.
 * `onAir`: it can be watched live. `waitingForEncoder`: it cannot, or not for long, but goes on when its encoder sends.
 * `processing`: it is over, and its recording is being made. `ready`: its recording can be played. `off`: none of these.
 */
export const airStates = ['onAir', 'waitingForEncoder', 'processing', 'ready', 'off'] as const;
export type AirState = (typeof airStates)[number];

interface AirFacts {
  /** The live playlist can be fetched. */
  readonly playable: boolean;
  /** An encoder is connected. */
  readonly connected: boolean;
  /** An encoder that comes back continues it. */
  readonly resumable: boolean;
  readonly recording: 'none' | 'pending' | 'ready';
}

export function airStateOf({ playable, connected, resumable, recording }: AirFacts): AirState {
  if (playable && connected) return 'onAir';
  if (playable || connected || resumable) return 'waitingForEncoder';
  if (recording === 'pending') return 'processing';
  return recording === 'ready' ? 'ready' : 'off';
}

/** State of a session that decides what viewers see. */
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
  // Segments are counted every few seconds; a recording begins with the first one.
  const hasSegments = sourceSegments > 0 || (record && recordingStatus === 'waiting');
  return airStateOf({
    playable: state === 'live' && hasSegments,
    connected: state === 'live',
    resumable: state === 'waiting',
    recording: record ? recordings[recordingStatus] : 'none',
  });
}

/** State of a stream that decides what viewers see. */
export interface StreamAirFacts {
  readonly isActive: boolean;
  readonly suspended: boolean;
  /** Whether the encoder may still come back. The playlist stays until then. */
  readonly reconnecting: boolean;
}

export function streamAir({ isActive, suspended, reconnecting }: StreamAirFacts): AirState {
  const playable = isActive && !suspended;
  const connected = playable && !reconnecting;
  return airStateOf({ playable, connected, resumable: false, recording: 'none' });
}

/** Seconds on air: the video that arrived, without the time that the encoder was away. */
export const onAirSeconds = ({
  sourceSegmentsDuration,
}: {
  readonly sourceSegmentsDuration: number;
}): number => sourceSegmentsDuration;
