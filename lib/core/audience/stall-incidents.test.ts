import { expect, test } from 'vitest';
import type { StallCause } from './explain-stall';
import { causeShares, findStallIncidents } from './stall-incidents';

const minuteOf = (
  index: number,
  cause: StallCause,
  measure: number | null,
  stalledMs = 1_000,
  objectId = 'stream',
) => ({
  objectId,
  at: index * 60_000,
  cause,
  measure,
  stalledMs,
  stalledViews: index + 1,
  viewers: 10,
});

test.each([
  ['times add up', 'encoder_silent', [2_000, 3_000], 5_000],
  ['the lowest ratio counts', 'source_slow', [0.8, 0.6], 0.6],
  ['the worst lateness counts', 'published_late', [1_400, 1_200], 1_400],
  ['a cause without a value has none', 'edge_miss', [null, null], null],
  ['the only value counts', 'source_slow', [null, 0.7], 0.7],
] as const)('%s over the minutes of one incident', (_, cause, [first, second], measure) => {
  const incidents = findStallIncidents([minuteOf(0, cause, first), minuteOf(1, cause, second)], 8);
  expect(incidents).toEqual([
    {
      objectId: 'stream',
      from: 0,
      to: 120_000,
      cause,
      measure,
      stalledMs: 2_000,
      stalledViews: 2,
      viewers: 10,
    },
  ]);
});

test('the same cause at two streams makes two incidents', () => {
  const minutes = [
    minuteOf(0, 'encoder_silent', 2_000),
    minuteOf(0, 'encoder_silent', 5_000, 1_000, 'other stream'),
    minuteOf(1, 'encoder_silent', 3_000),
  ];
  expect(findStallIncidents(minutes, 8).map(({ objectId, measure }) => [objectId, measure])).toEqual([
    ['stream', 5_000],
    ['other stream', 5_000],
  ]);
});

test('the worst incidents are listed in the order of time, and the connections of viewers only have a share', () => {
  const minutes = [
    minuteOf(0, 'edge_miss', null, 3_000),
    minuteOf(2, 'published_late', 1_500, 1_000),
    minuteOf(4, 'encoder_silent', 4_000, 5_000),
    minuteOf(6, 'viewer_connection', null, 1_000),
  ];
  expect(findStallIncidents(minutes, 2).map(({ cause }) => cause)).toEqual(['edge_miss', 'encoder_silent']);
  expect(findStallIncidents(minutes, 8).map(({ cause }) => cause)).toEqual([
    'edge_miss',
    'published_late',
    'encoder_silent',
  ]);
  expect(causeShares(minutes)).toEqual([
    { cause: 'encoder_silent', share: 0.5 },
    { cause: 'edge_miss', share: 0.3 },
    { cause: 'published_late', share: 0.1 },
    { cause: 'viewer_connection', share: 0.1 },
  ]);
});
