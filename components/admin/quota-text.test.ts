import { expect, test } from 'vitest';
import type { OwnQuotas, QuotaName } from '@/lib/core/quotas/quota';
import { parseQuota, formatQuota } from './quota-text';

test.each<[QuotaName, OwnQuotas[QuotaName], string]>([
  ['liveStreams', null, ''],
  ['liveStreams', 0, '0'],
  ['renditions', 'unlimited', 'unlimited'],
  ['storageBytes', 10_500_000_000, '10.5'],
  ['viewerBytes', 1, '0.000000001'],
  ['uploadBytes', 100_000_000_000, '100'],
])('the quota %s of %j is shown as %j', (name, value, text) =>
  expect(formatQuota(name, value, 'unlimited')).toBe(text),
);

test.each<[QuotaName, string, OwnQuotas[QuotaName] | undefined]>([
  ['liveStreams', '  ', null],
  ['liveStreams', '5', 5],
  ['liveStreams', '1.5', undefined],
  ['liveStreams', '-1', undefined],
  ['renditions', 'Unlimited', 'unlimited'],
  ['storageBytes', '10,5', 10_500_000_000],
  ['storageBytes', '0.000000001', 1],
  ['storageBytes', 'much', undefined],
  // 10^12 GB are more bytes than a safe integer can express.
  ['storageBytes', '999999999999', undefined],
])('the quota %s is parsed from %j as %j', (name, text, value) =>
  expect(parseQuota(name, text, 'unlimited')).toBe(value),
);
