import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextPhase, probeDelay, type Phase, type PlaybackEvent } from './phases';

/** All events without `deleted` and `refused`, which are final. */
const events: PlaybackEvent[] = ['found', 'missing', 'unreachable', 'unplayable', 'frame'];

function run(steps: readonly PlaybackEvent[]): Phase {
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
    [['refused'], 'refused'],
    [['frame', 'unreachable', 'refused', 'found'], 'refused'],
    [['frame', 'missing', 'unreachable'], 'offline'],
    [['frame', 'missing', 'found', 'frame'], 'playing'],
    [['frame', 'found'], 'playing'],
    [['found', 'unplayable', 'found'], 'unplayable'],
    [['found', 'unplayable', 'found', 'frame'], 'playing'],
  ])('%j leads to %s', (steps, phase) => expect(run(steps)).toBe(phase));

  it('a frame always ends waiting, and "starts soon" never follows it', () => {
    const steps = fc.array(fc.constantFrom(...events));
    fc.assert(
      fc.property(steps, steps, (before, after) => {
        expect(run([...before, 'frame'])).toBe('playing');
        expect(run([...before, 'frame', ...after])).not.toBe('starts-soon');
      }),
    );
  });

  it('missing content is final', () => {
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
});
