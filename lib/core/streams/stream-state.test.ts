import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { streamMachine, type StreamState } from './stream-state';

const startedEvent = 'stream.started';
const idle = 'stream.idle';

describe('events of a stream', () => {
  test('stream.started and stream.idle alternate, and the stream is active exactly between them', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...streamMachine.events), { maxLength: 60 }), (events) => {
        let state: StreamState = 'idle';
        let last: string = idle;
        for (const event of events) {
          const emits = streamMachine.emittedEvent(state, event);
          state = streamMachine.nextState(state, event) ?? state;
          if (emits) {
            expect(emits).not.toBe(last);
            last = emits;
          }
          expect(last === startedEvent).toBe(['active', 'interrupted', 'ending'].includes(state));
        }
      }),
    );
  });
});
