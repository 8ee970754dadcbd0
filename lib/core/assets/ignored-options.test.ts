import { expect, test } from 'vitest';
import { ignoredOptionWarnings } from './ignored-options';

test('each option without effect has a warning', () => {
  expect(ignoredOptionWarnings({})).toEqual({});
  expect(ignoredOptionWarnings({ c2pa: false })).toEqual({});
  const { warnings = [] } = ignoredOptionWarnings({ projectId: '', c2pa: true, targetSegmentSizeSecs: 4 });
  expect(warnings.map((message) => message.split(' ')[0])).toEqual([
    'projectId',
    'c2pa',
    'targetSegmentSizeSecs',
  ]);
});
