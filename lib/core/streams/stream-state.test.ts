import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { streamMachine, type StreamState } from './stream-state';

const startedEvent = 'stream.started';
const idleEvent = 'stream.idle';

describe('events of a stream', () => {
  test('stream.started and stream.idle alternate, and the stream is active exactly between them', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...streamMachine.events), { maxLength: 60 }), (events) => {
        let state: StreamState = 'idle';
        let lastEvent: string = idleEvent;
        for (const event of events) {
          const emits = streamMachine.emittedEvent(state, event);
          state = streamMachine.nextState(state, event) ?? state;
          if (emits) {
            expect(emits).not.toBe(lastEvent);
            lastEvent = emits;
          }
          expect(lastEvent === startedEvent).toBe(['active', 'interrupted', 'ending'].includes(state));
        }
      }),
    );
  });
});
