import { describe, expect, test } from 'vitest';
import {
  monthStart,
  quotaNames,
  quotaRejection,
  quotaStateOf,
  quotasOf,
  formatSize,
  type OwnQuotas,
  type QuotaState,
  type Quotas,
} from './quota';

const noQuotas: Quotas = {
  liveStreams: null,
  storageBytes: null,
  uploadBytes: null,
  renditions: null,
  viewerBytes: null,
};
const createOwnQuotas = (change: Partial<OwnQuotas>): OwnQuotas => ({ ...noQuotas, ...change });

test("a team's quota overrides the default of the service", () => {
  const defaults = { ...noQuotas, liveStreams: 3, renditions: 2 };
  expect(quotasOf(createOwnQuotas({}), defaults)).toEqual(defaults);
  expect(
    quotasOf(createOwnQuotas({ liveStreams: 0, renditions: 'unlimited', storageBytes: 7 }), defaults),
  ).toEqual({
    ...noQuotas,
    liveStreams: 0,
    renditions: null,
    storageBytes: 7,
  });
});

test.each<[number | null, number, QuotaState]>([
  [null, 1e15, 'free'],
  [100, 0, 'free'],
  [100, 79, 'free'],
  [100, 80, 'warned'],
  [100, 99, 'warned'],
  [100, 100, 'reached'],
  [100, 200, 'reached'],
  [0, 0, 'reached'],
])('a quota with the limit %j, of which %i are used, is %s', (limit, used, state) =>
  expect(quotaStateOf(limit, used)).toBe(state),
);

const GB = 1e9;
describe('rejection', () => {
  test.each(quotaNames)('is never returned without a limit: %s', (name) =>
    expect(quotaRejection(name, { limit: null, used: 1e15, requested: 1e15 })).toBeNull(),
  );

  test.each([
    ['liveStreams', 3, 2, 1, null],
    ['liveStreams', 3, 3, 1, 'live streams: 3 of 3 are live.'],
    ['liveStreams', 0, 0, 1, 'live streams: 0 of 0 are live.'],
    ['storageBytes', 10 * GB, 9.99 * GB, 0, null],
    ['storageBytes', 10 * GB, 10 * GB, 0, 'storage: 10 GB of 10 GB are used.'],
    ['storageBytes', 10 * GB, 10.24 * GB, 0, 'storage: 10.2 GB of 10 GB are used.'],
    ['storageBytes', 10 * GB, 9 * GB, GB, null],
    ['storageBytes', 10 * GB, 9 * GB, 2 * GB, 'storage: 9 GB of 10 GB are used; this file has 2 GB.'],
    ['uploadBytes', 5 * GB, 0, 5 * GB, null],
    ['uploadBytes', 5 * GB, 0, 6 * GB, 'upload: 6 GB are more than the limit of 5 GB'],
    ['renditions', 2, 0, 2, null],
    ['renditions', 2, 0, 3, 'profiles: 3 are more than the limit of 2 renditions'],
    ['viewerBytes', 100 * GB, 99 * GB, 0, null],
    ['viewerBytes', 100 * GB, 101 * GB, 0, 'viewers: 101 GB of 100 GB were delivered this month.'],
  ] as const)(
    'of %s with the limit %i, %i used and %i requested: %s',
    (name, limit, used, requested, message) => {
      const rejection = quotaRejection(name, { limit, used, requested });
      if (message === null) expect(rejection).toBeNull();
      else expect(rejection?.message.startsWith(message)).toBe(true);
    },
  );

  test.each([
    [GB, GB, null],
    [GB, 2 * GB, 'storage: 8 GB of 10 GB are used, and 1 GB are arriving; this file has 2 GB.'],
    [2 * GB, 0, 'storage: 8 GB of 10 GB are used, and 2 GB are arriving.'],
  ])('of storage with %i reserved and %i requested bytes: %s', (reserved, requested, message) => {
    const rejection = quotaRejection('storageBytes', {
      limit: 10 * GB,
      used: 8 * GB,
      reserved,
      requested,
    });
    expect(rejection?.message.split(' Delete')[0] ?? null).toBe(message);
  });

  test('has the error code of its quota', () => {
    const codeOf = (name: (typeof quotaNames)[number]) =>
      quotaRejection(name, { limit: 0, used: 1, requested: 1 })?.code;
    expect(quotaNames.map(codeOf)).toEqual([
      ...['forbidden', 'payment_required', 'payload_too_large', 'forbidden', 'payment_required'],
    ]);
  });
});

test.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1_000, '1 kB'],
  [10_240_000_000, '10.2 GB'],
  [123_456_000, '123 MB'],
  [1.5e18, '1500 PB'],
])('%i bytes are formatted as %s', (bytes, text) => expect(formatSize(bytes)).toBe(text));

test('monthStart returns the first day of the month', () =>
  expect(monthStart('2026-11-23')).toBe('2026-11-01'));
