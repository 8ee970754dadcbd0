import { type Backoff, backoffDelay } from '../../backoff';
import { defineMachine, type EventOf, type StateOf } from '../../state-machine';

/**
 * A browser that publishes. `asking`: the person is asked for camera, screen or microphone. `previewing`: they are open,
 * and nothing is sent. `reconnecting`: the connection was lost while live, and is made again. `ended`: devices are closed.
 */
export const publisherMachine = defineMachine({
  states: ['idle', 'asking', 'previewing', 'connecting', 'live', 'reconnecting', 'ended'],
  events: {
    asked: { idle: 'asking', ended: 'asking' },
    granted: { asking: 'previewing' },
    denied: { asking: 'idle' },
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

/** Viewers see the stream, or will again: leaving the page would end it. */
export const isOnAir = (state: PublisherState): boolean => state === 'live' || state === 'reconnecting';

/** Why devices could not be opened or are gone. */
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
 * Why there is no connection. `unreachable`: nothing answers the offer. `refused`: the key or the stream. `no_codec`: the
 * browser offers none that is taken. `busy`: the server takes no connection now. `no_media_path`: no datagram gets through.
 * `lost`: there was one.
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

/** What a refused offer means (docs/webrtc.md). */
export function problemOfStatus(status: number): ConnectionProblem {
  if (status === 404 || status === 401 || status === 403) return 'refused';
  if (status === 406) return 'no_codec';
  return status === 503 || status === 429 ? 'busy' : 'server_error';
}

const retries: Backoff = { first: 1_000, max: 8_000 };
/** The server notices within eight seconds that a publisher is gone, and refuses a second one until then. */
const REFUSED_MS = 20_000;
/** Viewers have left by then, and the person has seen for long that it does not work. */
const GIVE_UP_MS = 180_000;

interface Outage {
  /** Since the connection was lost. */
  readonly elapsedMs: number;
  /** Attempts that failed since then. */
  readonly failures: number;
  /** Of the last attempt; null before the first. */
  readonly problem: ConnectionProblem | null;
}

/** Milliseconds until the next attempt; null: give up. */
export function reconnectDelayMs({ elapsedMs, failures, problem }: Outage): number | null {
  if (problem === 'no_codec' || elapsedMs >= GIVE_UP_MS) return null;
  if (problem === 'refused' && elapsedMs >= REFUSED_MS) return null;
  return Math.min(backoffDelay(failures, retries), GIVE_UP_MS - elapsedMs);
}
