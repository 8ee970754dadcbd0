import { expect, test } from 'vitest';
import { untranslated, englishMessages } from '@/components/testing/messages';
import { summarizeIssues, currentIssuesOf } from './issue-texts';

test('an idle stream has no issues, even if issues of its last publish are stored', () => {
  expect(currentIssuesOf({ isActive: true, issues: ['no sound'] }, untranslated)).toEqual(['no sound']);
  expect(currentIssuesOf({ isActive: true, issues: null }, untranslated)).toEqual([]);
  expect(currentIssuesOf({ isActive: false, issues: ['no sound'] }, untranslated)).toEqual([]);
});

test('a summary has the number of issues and the first issue', () => {
  const t = englishMessages('streams.issues');
  expect(summarizeIssues(t, ['no sound'])).toMatch(/^1 issue: No sound/);
  expect(summarizeIssues(t, ['no sound', 'no picture'])).toMatch(/^2 issues: No sound/);
});
