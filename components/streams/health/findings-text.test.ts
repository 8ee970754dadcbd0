import { expect, test } from 'vitest';
import { asWritten, englishMessages } from '@/components/testing/messages';
import { describeFindings, findingsOf } from './findings-text';

test('only a live stream has issues, whatever its last publish left', () => {
  expect(findingsOf({ isActive: true, issues: ['no sound'] }, asWritten)).toEqual(['no sound']);
  expect(findingsOf({ isActive: true, issues: null }, asWritten)).toEqual([]);
  expect(findingsOf({ isActive: false, issues: ['no sound'] }, asWritten)).toEqual([]);
});

test('a summary has the number of issues and the first one', () => {
  const t = englishMessages('streams.findings');
  expect(describeFindings(t, ['no sound'])).toMatch(/^1 issue: No sound/);
  expect(describeFindings(t, ['no sound', 'no picture'])).toMatch(/^2 issues: No sound/);
});
