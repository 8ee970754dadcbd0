import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextPhase, probeDelay, type Phase, type PlaybackEvent } from './phases';

/** All events except `deleted` and `rejected`, which lead to final phases. */
const events: PlaybackEvent[] = ['found', 'missing', 'unreachable', 'unplayable', 'frame'];

function applyEvents(steps: readonly PlaybackEvent[]): Phase {
  let phase: Phase = 'connecting';
  let hasPlayed = false;
  for (const event of steps) {
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
  ])('%j leads to %s', (steps, phase) => expect(applyEvents(steps)).toBe(phase));

  it('a frame always leads to playing, and "starts soon" never follows a frame', () => {
    const steps = fc.array(fc.constantFrom(...events));
    fc.assert(
      fc.property(steps, steps, (before, after) => {
        expect(applyEvents([...before, 'frame'])).toBe('playing');
        expect(applyEvents([...before, 'frame', ...after])).not.toBe('starts-soon');
      }),
    );
  });

  it('the phase not-found is final', () => {
    for (const event of events) expect(nextPhase('not-found', event, true)).toBe('not-found');
  });
});

describe('probeDelay', () => {
  it('grows up to a limit', () => {
    expect(probeDelay(0)).toBe(1000);
    expect(probeDelay(1)).toBe(1000);
    expect(probeDelay(2)).toBe(1400);
    expect(probeDelay(50)).toBe(5000);
  });

  it('is short for the first requests while a stream starts', () => {
    const delays = Array.from({ length: 30 }, (_, index) => probeDelay(index + 1, true));
    const shortDelays = delays.filter((delay) => delay < probeDelay(1));
    expect(shortDelays).toEqual(delays.slice(0, shortDelays.length));
    expect(shortDelays.length).toBeGreaterThan(5);
    expect(delays.at(-1)).toBe(probeDelay(30));
  });
});
