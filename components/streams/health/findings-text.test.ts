import { expect, test } from 'vitest';
import { untranslated, englishMessages } from '@/components/testing/messages';
import { describeFindings, findingsOf } from './findings-text';

test('an idle stream has no issues, even if issues of its last publish are stored', () => {
  expect(findingsOf({ isActive: true, issues: ['no sound'] }, untranslated)).toEqual(['no sound']);
  expect(findingsOf({ isActive: true, issues: null }, untranslated)).toEqual([]);
  expect(findingsOf({ isActive: false, issues: ['no sound'] }, untranslated)).toEqual([]);
});

test('a summary has the number of issues and the first issue', () => {
  const t = englishMessages('streams.findings');
  expect(describeFindings(t, ['no sound'])).toMatch(/^1 issue: No sound/);
  expect(describeFindings(t, ['no sound', 'no picture'])).toMatch(/^2 issues: No sound/);
});
