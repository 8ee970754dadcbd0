import { type Backoff, backoffDelay } from '../../backoff';
import { defineMachine, type EventOf, type StateOf } from '../../state-machine';

/**
 * States of a publishing browser. `requesting`: the browser asks for permission. `previewing`: devices are open, nothing is sent.
 * `reconnecting`: the connection was lost while live. `ended`: devices are closed.
 */
export const publisherMachine = defineMachine({
  states: ['idle', 'requesting', 'previewing', 'connecting', 'live', 'reconnecting', 'ended'],
  events: {
    requested: { idle: 'requesting', ended: 'requesting' },
    granted: { requesting: 'previewing' },
    denied: { requesting: 'idle' },
    closed: { previewing: 'idle' },
    started: { previewing: 'connecting' },
    connected: { connecting: 'live', reconnecting: 'live' },
    failed: { connecting: 'previewing' },
    lost: { live: 'reconnecting' },
    gave_up: { reconnecting: 'ended' },
    stopped: { connecting: 'previewing', live: 'ended', reconnecting: 'ended' },
  },
});

export type PublisherState = StateOf<typeof publisherMachine>;
export type PublisherEvent = EventOf<typeof publisherMachine>;

/** Whether the stream is live or will be again: leaving the page would end it. */
export const isOnAir = (state: PublisherState): boolean => state === 'live' || state === 'reconnecting';

/** Reasons why a device could not be opened or has ended. */
export const captureProblems = [
  ...([
    'permission_denied',
    'screen_denied',
    'no_device',
    'device_in_use',
    'not_supported',
    'capture_failed',
  ] as const),
  ...(['screen_ended', 'camera_ended', 'microphone_ended'] as const),
] as const;
export type CaptureProblem = (typeof captureProblems)[number];

/**
 * Reasons for a missing connection. `unreachable`: no answer to the offer. `refused`: wrong key, or the stream cannot be
 * published to. `no_codec`: no supported codec in the offer. `busy`: the server accepts no connections now. `no_media_path`: no
 * datagrams get through. `lost`: the connection was lost.
 */
export const connectionProblems = [
  'unreachable',
  'refused',
  'no_codec',
  'busy',
  'no_media_path',
  'server_error',
  'lost',
] as const;
export type ConnectionProblem = (typeof connectionProblems)[number];

/** Problem for the HTTP status of a refused offer (docs/webrtc.md). */
export function problemOfStatus(status: number): ConnectionProblem {
  if (status === 404 || status === 401 || status === 403) return 'refused';
  if (status === 406) return 'no_codec';
  return status === 503 || status === 429 ? 'busy' : 'server_error';
}

const retries: Backoff = { first: 1_000, max: 8_000 };
/** After a loss, the server refuses a second publisher for up to eight seconds, until it detects the loss. */
const REFUSED_MS = 20_000;
/** Attempts end after this time: viewers have left by then. */
const GIVE_UP_MS = 180_000;

interface Outage {
  /** Time since the connection was lost. */
  readonly elapsedMs: number;
  /** Failed attempts since the loss. */
  readonly failures: number;
  /** Problem of the last attempt; null before the first attempt. */
  readonly problem: ConnectionProblem | null;
}

/** Milliseconds until the next attempt; null: give up. */
export function reconnectDelayMs({ elapsedMs, failures, problem }: Outage): number | null {
  if (problem === 'no_codec' || elapsedMs >= GIVE_UP_MS) return null;
  if (problem === 'refused' && elapsedMs >= REFUSED_MS) return null;
  return Math.min(backoffDelay(failures, retries), GIVE_UP_MS - elapsedMs);
}
