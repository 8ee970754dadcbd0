import { expect, test } from 'vitest';
import { startWarnings } from './start-warnings';

test('the operator is warned of open sign-up and of allowed private IP ranges, with one line each', () => {
  const lines = startWarnings({ egressAllowCidrs: ['10.0.0.0/8', '127.0.0.1/32'], signUp: 'open' });
  expect(lines).toEqual([
    expect.stringContaining('SIGN_UP=closed'),
    expect.stringContaining('10.0.0.0/8, 127.0.0.1/32 (EGRESS_ALLOW_CIDRS)'),
  ]);
  expect(lines.join('')).not.toContain('\n');
  expect(startWarnings({ egressAllowCidrs: [], signUp: 'closed' })).toEqual([]);
});
