import { airStateOf } from './air-state';

/** States of a stream's playback id for viewers. */
export const broadcastStates = ['live', 'starting', 'idle', 'ended', 'unavailable', 'deleted'] as const;

export interface Broadcast {
  readonly state: (typeof broadcastStates)[number];
  /** Unix milliseconds of the last media; only with `ended`. */
  readonly endedAt?: number;
  /** Unix milliseconds of the announced start; only with `idle` and `ended`. */
  readonly startsAt?: number;
  /** Playback id of the recording of the ended broadcast, once viewers can play it. */
  readonly recordingId?: string;
}

export interface BroadcastFacts {
  readonly deleted: boolean;
  /** Whether the stream or its team is suspended. */
  readonly suspended: boolean;
  readonly isActive: boolean;
  /** Whether an encoder is connected. */
  readonly publishing: boolean;
  /** The newest session that was playable; null without one. */
  readonly last: { readonly endedAt: number; readonly recordingId: string | null } | null;
  /** Announced start of the next broadcast, in Unix milliseconds; null if none is announced. */
  readonly startsAt?: number | null;
}

export function broadcastOf(facts: BroadcastFacts): Broadcast {
  const { deleted, suspended, isActive, publishing, last } = facts;
  if (deleted) return { state: 'deleted' };
  if (suspended) return { state: 'unavailable' };
  // Players handle a lost encoder themselves, and a lost node by its responses.
  const connected = isActive || publishing;
  const air = airStateOf({ playable: isActive, connected, resumable: false, recording: 'none' });
  if (air === 'onAir') return { state: 'live' };
  if (air === 'waitingForEncoder') return { state: 'starting' };
  const startField = typeof facts.startsAt === 'number' ? { startsAt: facts.startsAt } : {};
  if (!last) return { state: 'idle', ...startField };
  const { endedAt, recordingId } = last;
  return { state: 'ended', endedAt, ...(recordingId === null ? {} : { recordingId }), ...startField };
}
