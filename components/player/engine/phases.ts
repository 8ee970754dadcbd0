/**
 * State shown to the viewer. `connecting` is between the first playlist and the first frame, `offline` follows the
 * end of a live stream: the player polls in both.
 */
export type Phase =
  | 'connecting'
  | 'starts-soon'
  | 'playing'
  | 'reconnecting'
  | 'offline'
  | 'not-found'
  | 'refused'
  | 'unplayable';

/**
 * `frame`: a frame can be shown. `missing`: the playlist is 404. `unreachable`: no usable response. `deleted`: the
 * content is gone permanently. `refused`: this viewer may not watch. `unplayable`: this browser can decode none of
 * the renditions; others may be added.
 */
export type PlaybackEvent =
  | 'found'
  | 'missing'
  | 'unreachable'
  | 'frame'
  | 'deleted'
  | 'refused'
  | 'unplayable';

/**
 * The next phase.
 * @param hasPlayed whether a frame was ever shown
 */
export function nextPhase(phase: Phase, event: PlaybackEvent, hasPlayed: boolean): Phase {
  if (phase === 'not-found' || phase === 'refused') return phase;
  switch (event) {
    case 'frame':
      return 'playing';
    case 'deleted':
      return 'not-found';
    case 'refused':
    case 'unplayable':
      return event;
    case 'missing':
      return hasPlayed ? 'offline' : 'starts-soon';
    case 'unreachable':
      // A viewer who waits for the start does not see a single failed request.
      return phase === 'starts-soon' || phase === 'offline' ? phase : 'reconnecting';
    case 'found':
      return phase === 'playing' || phase === 'unplayable' ? phase : 'connecting';
  }
}

const FIRST_DELAY_MS = 1000;
const MAX_DELAY_MS = 5000;

/** A started stream has its first segment within a few seconds. */
const STARTING_DELAY_MS = 400;
const STARTING_MISSES = 15;

/**
 * Milliseconds until the next playlist request, after `misses` responses without a playlist.
 * @param starting whether the stream is known to be starting
 */
export function probeDelay(misses: number, starting = false): number {
  if (starting && misses <= STARTING_MISSES) return STARTING_DELAY_MS;
  return Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 1.4 ** Math.max(0, misses - 1));
}
