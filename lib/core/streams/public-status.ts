import { airStateOf } from './air-state';

/**
 * States of a stream that its viewers see. `starting`: an encoder is
 * connected, but nothing can be played yet. `idle`: the stream was never live. `unavailable`: the stream is suspended.
 */
export const publicStates = ['live', 'starting', 'idle', 'ended', 'unavailable', 'deleted'] as const;

/** State of a stream that its viewers see, with the times and the recording that their pages show. */
export interface PublicStatus {
  readonly state: (typeof publicStates)[number];
  /** Time of the last media in Unix milliseconds; only in the state `ended`. */
  readonly endedAt?: number;
  /** Announced start of the next session in Unix milliseconds; only in the states `idle` and `ended`. */
  readonly startsAt?: number;
  /** Playback id of the recording of the ended session, once viewers can play it. */
  readonly recordingId?: string;
}

/** What the public status of a stream is made from. */
export interface PublicStatusFacts {
  readonly deleted: boolean;
  /** Whether the stream or its team is suspended. */
  readonly suspended: boolean;
  readonly isActive: boolean;
  /** Whether an encoder is connected. */
  readonly publishing: boolean;
  /** The newest session that could be played: when its last media arrived, and the playback id of its recording. */
  readonly lastSession: { readonly endedAt: number; readonly recordingId: string | null } | null;
  /** Announced start of the next session, in Unix milliseconds; null if none is announced. */
  readonly startsAt?: number | null;
}

/** The status of a stream that viewers see. */
export function publicStatusOf(facts: PublicStatusFacts): PublicStatus {
  const { deleted, suspended, isActive, publishing, lastSession } = facts;
  if (deleted) return { state: 'deleted' };
  if (suspended) return { state: 'unavailable' };
  // A lost encoder changes no state here: players notice it themselves, and a lost node by missing responses.
  const isConnected = isActive || publishing;
  const airState = airStateOf({
    playable: isActive,
    connected: isConnected,
    resumable: false,
    recording: 'none',
  });
  if (airState === 'onAir') return { state: 'live' };
  if (airState === 'waitingForEncoder') return { state: 'starting' };
  const startField = typeof facts.startsAt === 'number' ? { startsAt: facts.startsAt } : {};
  if (!lastSession) return { state: 'idle', ...startField };
  const { endedAt, recordingId } = lastSession;
  return { state: 'ended', endedAt, ...(recordingId === null ? {} : { recordingId }), ...startField };
}
