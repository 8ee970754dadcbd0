import { type BackoffOptions, backoffDelay } from '../../backoff';
import { defineMachine, type EventOf, type StateOf } from '../../state-machine';

/**
 * States of a browser that publishes. `requesting`: the browser asks for permission to use the devices. `previewing`: the
 * devices are open, but nothing is sent. `reconnecting`: the connection was lost while live. `ended`: the devices are
 * closed.
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

/** Whether the browser publishes or reconnects: leaving the page would end the stream. */
export const isOnAir = (state: PublisherState): boolean => state === 'live' || state === 'reconnecting';

/** Reasons why a device could not be opened, or stopped. */
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
 * Reasons for a missing connection. `unreachable`: there was no response to the offer. `rejected`: the key is wrong, or the
 * stream accepts no publish. `no_codec`: the offer has no supported codec. `busy`: the server accepts no connections now.
 * `no_media_path`: no datagrams get through. `server_error`: the server failed. `lost`: the connection was lost.
 */
export const connectionProblems = [
  'unreachable',
  'rejected',
  'no_codec',
  'busy',
  'no_media_path',
  'server_error',
  'lost',
] as const;
export type ConnectionProblem = (typeof connectionProblems)[number];

/** The problem that the HTTP status of a rejected offer stands for (docs/webrtc.md). */
export function problemOfStatus(status: number): ConnectionProblem {
  if (status === 404 || status === 401 || status === 403) return 'rejected';
  if (status === 406) return 'no_codec';
  return status === 503 || status === 429 ? 'busy' : 'server_error';
}

/** Delays in milliseconds. */
const retryBackoff: BackoffOptions = { firstDelay: 1_000, maxDelay: 8_000 };
/**
 * Time after a loss in which a rejection is not final: the server rejects a second publisher until it detects the loss, for up
 * to eight seconds.
 */
const TRANSIENT_REJECTION_MS = 20_000;
/** Time after a loss at which reconnecting ends: viewers have left by then. */
const GIVE_UP_MS = 180_000;

interface Outage {
  /** Milliseconds since the connection was lost. */
  readonly elapsedMs: number;
  /** Failed attempts since the loss. */
  readonly failures: number;
  /** Problem of the last attempt; null before the first attempt. */
  readonly problem: ConnectionProblem | null;
}

/** Milliseconds until the next attempt; null if there is no further attempt. */
export function reconnectDelayMs({ elapsedMs, failures, problem }: Outage): number | null {
  if (problem === 'no_codec' || elapsedMs >= GIVE_UP_MS) return null;
  if (problem === 'rejected' && elapsedMs >= TRANSIENT_REJECTION_MS) return null;
  return Math.min(backoffDelay(failures, retryBackoff), GIVE_UP_MS - elapsedMs);
}
