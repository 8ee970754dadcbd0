import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { streamMachine, type StreamState } from './stream-state';

const startedEvent = 'stream.started';
const idle = 'stream.idle';

describe('events of a stream', () => {
  test('started and idle alternate, and "active" is exactly the time between them', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...streamMachine.events), { maxLength: 60 }), (events) => {
        let state: StreamState = 'idle';
        let last: string = idle;
        for (const event of events) {
          const emits = streamMachine.emits(state, event);
          state = streamMachine.next(state, event) ?? state;
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
