import { expect, test } from 'vitest';
import { openRangesWarning } from './open-ranges';

test('ranges that were opened are named at the start, and nothing is said without them', () => {
  const lines = openRangesWarning({ egressAllowCidrs: ['10.0.0.0/8', '127.0.0.1/32'] });
  expect(lines.join('\n')).toContain('WARNING  EGRESS_ALLOW_CIDRS opens 10.0.0.0/8, 127.0.0.1/32:');
  expect(openRangesWarning({ egressAllowCidrs: [] })).toEqual([]);
});
