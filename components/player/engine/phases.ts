/**
 * State shown to the viewer. `connecting`: from the first request to the first frame. `starts-soon` and `offline`:
 * before and after a live stream, while the player requests the playlist repeatedly.
 */
export type Phase =
  | 'connecting'
  | 'starts-soon'
  | 'playing'
  | 'reconnecting'
  | 'offline'
  | 'not-found'
  | 'rejected'
  | 'unplayable';

/**
 * Event that changes the phase. `found`: the playlist is available. `missing`: there is no playlist now. `unreachable`: no
 * usable response. `frame`: a frame can be shown. `deleted`: the content is deleted permanently. `rejected`: this viewer
 * may not watch. `unplayable`: this browser can decode none of the renditions; the player retries, because other
 * renditions may be added.
 */
export type PlaybackEvent =
  | 'found'
  | 'missing'
  | 'unreachable'
  | 'frame'
  | 'deleted'
  | 'rejected'
  | 'unplayable';

/**
 * Phase after an event. `not-found` and `rejected` are final.
 * @param hasPlayed whether a frame was ever shown
 */
export function nextPhase(phase: Phase, event: PlaybackEvent, hasPlayed: boolean): Phase {
  if (phase === 'not-found' || phase === 'rejected') return phase;
  switch (event) {
    case 'frame':
      return 'playing';
    case 'deleted':
      return 'not-found';
    case 'rejected':
    case 'unplayable':
      return event;
    case 'missing':
      return hasPlayed ? 'offline' : 'starts-soon';
    case 'unreachable':
      // While the viewer waits for a stream, a failed request does not change the phase.
      return phase === 'starts-soon' || phase === 'offline' ? phase : 'reconnecting';
    case 'found':
      return phase === 'playing' || phase === 'unplayable' ? phase : 'connecting';
  }
}

const FIRST_DELAY_MS = 1000;
const MAX_DELAY_MS = 5000;

/** Interval of requests while a stream starts: it has its first segment within a few seconds. */
const STARTING_DELAY_MS = 400;
/** Number of requests at that interval. */
const STARTING_MISSES = 15;

/**
 * Milliseconds until the next playlist request, after `misses` responses without a playlist.
 * @param isStarting whether the stream is known to be starting
 */
export function probeDelay(misses: number, isStarting = false): number {
  if (isStarting && misses <= STARTING_MISSES) return STARTING_DELAY_MS;
  return Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 1.4 ** Math.max(0, misses - 1));
}
