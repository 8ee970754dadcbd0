import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { recordingMachine, recordingStatusOf, type RecordingState } from './recording-state';

describe('events of a recording', () => {
  test('after any events, recording.started is sent at most once and first, and recording.ready at most once and last', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...recordingMachine.events), { maxLength: 40 }), (events) => {
        let state: RecordingState = 'none';
        const emittedEvents: string[] = [];
        for (const event of events) {
          const emits = recordingMachine.emittedEvent(state, event);
          state = recordingMachine.nextState(state, event) ?? state;
          if (emits) emittedEvents.push(emits);
        }
        expect(emittedEvents.filter((name) => name === 'recording.started').length).toBeLessThanOrEqual(1);
        expect(emittedEvents[0] ?? 'recording.started').toBe('recording.started');
        const ready = emittedEvents.indexOf('recording.ready');
        if (ready >= 0) expect(ready).toBe(emittedEvents.length - 1);
      }),
    );
  });
});

test('every state has a status in the API', () => {
  expect(recordingMachine.states.map((state) => [state, recordingStatusOf(state)])).toEqual([
    ['none', 'waiting'],
    ['empty', 'none'],
    ['recording', 'waiting'],
    ['waiting', 'waiting'],
    ['processing', 'waiting'],
    ['importing', 'waiting'],
    ['ready', 'ready'],
    ['failed', 'failed'],
    ['deleted', 'deleted'],
    ['transient', 'none'],
  ]);
});
