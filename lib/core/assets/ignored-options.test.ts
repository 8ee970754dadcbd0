import { expect, test } from 'vitest';
import { warningsOf } from './ignored-options';

test('each option without effect has a warning', () => {
  expect(warningsOf({})).toEqual({});
  expect(warningsOf({ c2pa: false })).toEqual({});
  const { warnings = [] } = warningsOf({ projectId: '', c2pa: true, targetSegmentSizeSecs: 4 });
  expect(warnings.map((message) => message.split(' ')[0])).toEqual([
    'projectId',
    'c2pa',
    'targetSegmentSizeSecs',
  ]);
});
