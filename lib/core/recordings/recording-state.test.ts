import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  deletedRecordingState,
  nextRecordingState,
  recordingEvents,
  recordingStates,
  recordingStatesBefore,
  recordingStatusOf,
  type RecordingEvent,
  type RecordingState,
} from './recording-state';

const possible: Partial<Record<RecordingState, Partial<Record<RecordingEvent, RecordingState>>>> = {
  none: { playable: 'recording', found: 'waiting', idle: 'none', ended: 'empty', kept: 'transient' },
  empty: { found: 'processing' },
  recording: { playable: 'recording', idle: 'waiting', ended: 'processing', account_deleted: 'deleted' },
  waiting: { playable: 'recording', idle: 'waiting', ended: 'processing', account_deleted: 'deleted' },
  processing: { made: 'importing', failed: 'failed', account_deleted: 'deleted' },
  importing: { ready: 'ready', failed: 'failed', asset_deleted: 'deleted', account_deleted: 'deleted' },
  ready: { deleted: 'deleted', account_deleted: 'deleted' },
  failed: { deleted: 'deleted', account_deleted: 'deleted', retried: 'importing' },
  transient: { ended: 'deleted', deleted: 'deleted', account_deleted: 'deleted' },
};

describe('nextRecordingState', () => {
  const pairs = recordingStates.flatMap((state) => recordingEvents.map((event) => [state, event] as const));

  test.each(pairs)('%s + %s', (state, event) => {
    const wanted = possible[state]?.[event];
    const next = nextRecordingState(state, event);
    if (!wanted) expect(next).toEqual({ refused: 'out_of_turn' });
    else expect(next).toMatchObject({ state: wanted });
    expect(recordingStatesBefore(event).includes(state)).toBe(wanted !== undefined);
  });

  test('whatever happens: started once, waiting only after it, ready once and last', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...recordingEvents), { maxLength: 40 }), (events) => {
        let state: RecordingState = 'none';
        const emitted: string[] = [];
        for (const event of events) {
          const next = nextRecordingState(state, event);
          if ('refused' in next) continue;
          state = next.state;
          if (next.emits) emitted.push(next.emits);
        }
        expect(emitted.filter((name) => name === 'recording.started').length).toBeLessThanOrEqual(1);
        expect(emitted[0] ?? 'recording.started').toBe('recording.started');
        const ready = emitted.indexOf('recording.ready');
        if (ready >= 0) expect(ready).toBe(emitted.length - 1);
      }),
    );
  });
});

test('whatever deletes a recording leads to the same state', () => {
  for (const event of ['deleted', 'asset_deleted', 'account_deleted'] as const)
    for (const state of recordingStatesBefore(event))
      expect(nextRecordingState(state, event)).toEqual({ state: deletedRecordingState, emits: null });
});

test('clients see less of it', () => {
  expect(recordingStates.map((state) => [state, recordingStatusOf(state)])).toEqual([
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
