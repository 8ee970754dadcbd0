import fc from 'fast-check';
import { expect, test } from 'vitest';
import { noFigures, readOutgoingFigures, sendingProblem } from './outgoing-figures';

const statsAt = (timestamp: number, bytesSent: number, more: object = {}): [string, object][] => [
  [
    'v',
    {
      type: 'outbound-rtp',
      kind: 'video',
      timestamp,
      bytesSent,
      framesPerSecond: 30,
      frameWidth: 1_280,
      frameHeight: 720,
      qualityLimitationReason: 'none',
      ...more,
    },
  ],
  ['a', { type: 'outbound-rtp', kind: 'audio', timestamp, bytesSent: 1_000 }],
  ['rv', { type: 'remote-inbound-rtp', kind: 'video', fractionLost: 0.02, roundTripTime: 0.0424 }],
  ['ra', { type: 'remote-inbound-rtp', kind: 'audio', fractionLost: 0 }],
];

test('readOutgoingFigures returns the bitrate since the previous figures, and the other figures of the statistics', () => {
  const first = readOutgoingFigures(statsAt(1_000, 0), noFigures);
  expect(first.bitrate).toBeNull();
  expect(readOutgoingFigures(statsAt(2_000, 250_000), first)).toEqual({
    // Video, and 1,000 bytes of audio in both statistics.
    sentBytes: 251_000,
    timestampMs: 2_000,
    bitrate: 2_000_000,
    lostRatio: 0.02,
    roundTripMs: 42,
    framesPerSecond: 30,
    width: 1_280,
    height: 720,
    limitation: 'none',
  });
});

test('with several sizes, the figures are those of the largest, and the bitrate is that of all', () => {
  const small = { type: 'outbound-rtp', kind: 'video', bytesSent: 50_000, timestamp: 2_000 };
  const first = readOutgoingFigures(statsAt(1_000, 0), noFigures);
  const figures = readOutgoingFigures(
    [['s', { ...small, frameWidth: 640, frameHeight: 360 }], ...statsAt(2_000, 250_000)],
    first,
  );
  expect(figures).toMatchObject({ width: 1_280, height: 720, bitrate: 2_400_000 });
});

test('unchanged statistics keep the bitrate, and a new connection has no bitrate', () => {
  const first = readOutgoingFigures(statsAt(1_000, 0), noFigures);
  const second = readOutgoingFigures(statsAt(2_000, 250_000), first);
  expect(readOutgoingFigures(statsAt(2_000, 250_000), second).bitrate).toBe(2_000_000);
  expect(readOutgoingFigures(statsAt(3_000, 0), second).bitrate).toBeNull();
});

test('without reports of the server, the round-trip time is that of the candidate pair', () => {
  const candidatePair = { type: 'candidate-pair', nominated: true, currentRoundTripTime: 0.007 };
  const figures = readOutgoingFigures([...statsAt(1, 1).slice(0, 2), ['p', candidatePair]], noFigures);
  expect(figures).toMatchObject({ lostRatio: null, roundTripMs: 7 });
});

test('statistics of a connection that sends nothing change no figure', () =>
  expect(readOutgoingFigures([['t', { type: 'transport' }]], noFigures)).toBe(noFigures));

test.each([
  [{ lostRatio: 0.05, limitation: 'bandwidth' }, 'packets_lost'],
  [{ lostRatio: 0.04, limitation: 'bandwidth' }, 'connection_slow'],
  [{ lostRatio: null, limitation: 'cpu' }, 'device_slow'],
  [{ lostRatio: 0, limitation: 'other' }, null],
] as const)('with %j, the problem is %s', (change, problem) =>
  expect(sendingProblem({ ...noFigures, ...change })).toBe(problem),
);

test('for any statistics, figures are finite numbers or null', () =>
  fc.assert(
    fc.property(
      fc.array(
        fc.dictionary(
          fc.constantFrom('type', 'kind', 'bytesSent', 'timestamp', 'fractionLost'),
          fc.oneof(fc.double(), fc.constantFrom('outbound-rtp', 'remote-inbound-rtp', 'video')),
        ),
      ),
      (reports) => {
        const { sentBytes, timestampMs, lostRatio } = readOutgoingFigures(
          reports.map((report, index) => [String(index), report]),
          noFigures,
        );
        expect([Number.isFinite(sentBytes), Number.isFinite(timestampMs)]).toEqual([true, true]);
        if (lostRatio !== null) expect(lostRatio).toBeGreaterThanOrEqual(0);
      },
    ),
  ));
