/**
 * What the viewer sees. `connecting` is the moment between "there is a playlist" and the first frame,
 * `offline` is "it was live, now it is not": the player keeps polling in both.
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
 * `frame`: a picture can be shown. `missing`: the playlist is 404. `unreachable`: no answer, or not a useful one.
 * `deleted`: nothing will ever play here again. `refused`: this viewer may not watch. `unplayable`: this browser has a decoder
 * for none of the renditions; others may follow.
 */
export type PlaybackEvent =
  | 'found'
  | 'missing'
  | 'unreachable'
  | 'frame'
  | 'deleted'
  | 'refused'
  | 'unplayable';

/** The next phase; `played` says whether a picture was ever shown. */
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
      // A viewer waiting for the start need not see one failed request.
      return phase === 'starts-soon' || phase === 'offline' ? phase : 'reconnecting';
    case 'found':
      return phase === 'playing' || phase === 'unplayable' ? phase : 'connecting';
  }
}

const FIRST_DELAY_MS = 1000;
const LONGEST_DELAY_MS = 5000;

/** Milliseconds until the playlist is asked for again after `misses` answers without one. */
export function probeDelay(misses: number): number {
  return Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 1.4 ** Math.max(0, misses - 1));
}
