import { expect, test } from 'vitest';
import type { StreamEvent } from '@/lib/contract/webhooks/event-endpoints';
import { bitratePath, createNotes, programEvents } from './session-notes';

const createEvent = (name: StreamEvent['event'], createdAt: number, payload?: StreamEvent['payload']) =>
  ({
    id: '8f14e45f-ceea-467f-a8f2-0d7c5e1a2b3c',
    event: name,
    createdAt,
    sequence: 1,
    deliveries: [],
    ...(payload ? { payload } : {}),
  }) satisfies StreamEvent;

test('programEvents keeps switches to known inputs and slate starts and ends, and drops other events', () => {
  expect(
    programEvents([
      createEvent('stream.switched', 1, { to: 'standby' }),
      createEvent('stream.switched', 2, { to: 'elsewhere' }),
      createEvent('stream.slate_started', 3),
      createEvent('stream.slate_ended', 4),
      createEvent('stream.started', 5),
    ]),
  ).toEqual([
    { at: 1, name: 'switched', to: 'standby' },
    { at: 3, name: 'slateStarted' },
    { at: 4, name: 'slateEnded' },
  ]);
});

test('gaps of at least 2 s, slates, switches of the encoder and target failures of the session are listed chronologically', () => {
  const target = { id: '8f14e45f-ceea-467f-a8f2-0d7c5e1a2b3c', name: 'YouTube', profile: 'source' };
  const sessionStartedAt = 0;
  const periods = [
    { input: 'primary', from: 0, to: 50_000 },
    { input: null, from: 50_000, to: 98_000 },
    { input: 'primary', from: 98_000, to: 120_000 },
    // Too short for a note.
    { input: null, from: 120_000, to: 121_000 },
    { input: 'standby', from: 121_000, to: 150_000 },
    { input: 'slate', from: 150_000, to: 160_000 },
    // The same encoder as before the slate, so not a switch.
    { input: 'standby', from: 160_000, to: 200_000 },
  ] as const;
  const events = [
    createEvent('multistream.error', 110_000, { target }),
    // Before the session.
    createEvent('multistream.error', sessionStartedAt - 5, { target }),
  ];
  expect(createNotes(periods, events, sessionStartedAt)).toEqual([
    { at: 50_000, kind: 'gap', seconds: 48 },
    { at: 110_000, kind: 'targetFailed', target: 'YouTube' },
    { at: 121_000, kind: 'switched', toInput: 'standby' },
    { at: 150_000, kind: 'slate', seconds: 10 },
  ]);
});

test('bitratePath draws no area where nothing was measured', () => {
  const samples = [0, 5_000, 10_000, 60_000, 65_000].map((at) => ({ at, bitrate: 4_000_000 }));
  // 100 s are 1,000 units wide. Each group of samples is an area from the baseline, y = 100, to the highest bitrate, y = 8.
  expect(bitratePath(samples, { from: 0, to: 100_000, intervalMs: 5_000 })).toBe(
    'M0 100L0 8L50 8L100 8L100 100M600 100L600 8L650 8L650 100',
  );
  expect(bitratePath([], { from: 0, to: 1, intervalMs: 5_000 })).toBe('');
});
