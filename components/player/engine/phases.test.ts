import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextPhase, probeDelay, type Phase, type PlaybackEvent } from './phases';

/** All events except `deleted` and `rejected`, which lead to final phases. */
const events: PlaybackEvent[] = ['found', 'missing', 'unreachable', 'unplayable', 'frame'];

/** Phase after events from the start of playback. */
function applyEvents(playbackEvents: readonly PlaybackEvent[]): Phase {
  let phase: Phase = 'connecting';
  let hasPlayed = false;
  for (const event of playbackEvents) {
    phase = nextPhase(phase, event, hasPlayed);
    hasPlayed ||= event === 'frame';
  }
  return phase;
}

describe('nextPhase', () => {
  it.each<[PlaybackEvent[], Phase]>([
    [['missing'], 'starts-soon'],
    [['missing', 'unreachable'], 'starts-soon'],
    [['missing', 'found'], 'connecting'],
    [['missing', 'found', 'frame'], 'playing'],
    [['unreachable'], 'reconnecting'],
    [['frame', 'unreachable'], 'reconnecting'],
    [['frame', 'unreachable', 'found', 'frame'], 'playing'],
    [['frame', 'missing'], 'offline'],
    [['deleted'], 'not-found'],
    [['frame', 'missing', 'deleted', 'found'], 'not-found'],
    [['rejected'], 'rejected'],
    [['frame', 'unreachable', 'rejected', 'found'], 'rejected'],
    [['frame', 'missing', 'unreachable'], 'offline'],
    [['frame', 'missing', 'found', 'frame'], 'playing'],
    [['frame', 'found'], 'playing'],
    [['found', 'unplayable', 'found'], 'unplayable'],
    [['found', 'unplayable', 'found', 'frame'], 'playing'],
  ])('the events %j lead to the phase %s', (playbackEvents, phase) =>
    expect(applyEvents(playbackEvents)).toBe(phase),
  );

  it('a frame leads to "playing", and "starts-soon" never follows a frame', () => {
    const anyEvents = fc.array(fc.constantFrom(...events));
    fc.assert(
      fc.property(anyEvents, anyEvents, (eventsBefore, eventsAfter) => {
        expect(applyEvents([...eventsBefore, 'frame'])).toBe('playing');
        expect(applyEvents([...eventsBefore, 'frame', ...eventsAfter])).not.toBe('starts-soon');
      }),
    );
  });

  it.each(['not-found', 'rejected'] as const)('no event ends the phase "%s"', (phase) => {
    for (const event of [...events, 'deleted', 'rejected'] as const)
      expect(nextPhase(phase, event, true)).toBe(phase);
  });
});

describe('probeDelay', () => {
  it('grows by 40 % with each miss after the first, up to 5 s', () => {
    expect(probeDelay(0)).toBe(1000);
    expect(probeDelay(1)).toBe(1000);
    expect(probeDelay(2)).toBe(1400);
    expect(probeDelay(50)).toBe(5000);
  });

  it('is shorter for the first requests while a stream starts', () => {
    const delays = Array.from({ length: 30 }, (_, index) => probeDelay(index + 1, true));
    const shortDelays = delays.filter((delay) => delay < probeDelay(1));
    expect(shortDelays).toEqual(delays.slice(0, shortDelays.length));
    expect(shortDelays.length).toBeGreaterThan(5);
    expect(delays.at(-1)).toBe(probeDelay(30));
  });
});
