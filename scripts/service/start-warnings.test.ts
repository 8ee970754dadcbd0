import { expect, test } from 'vitest';
import { startWarnings } from './start-warnings';

test('open sign-up and allowed private ranges are reported, one line each', () => {
  const lines = startWarnings({ egressAllowCidrs: ['10.0.0.0/8', '127.0.0.1/32'], signUp: 'open' });
  expect(lines).toEqual([
    expect.stringContaining('SIGN_UP=closed'),
    expect.stringContaining('10.0.0.0/8, 127.0.0.1/32 (EGRESS_ALLOW_CIDRS)'),
  ]);
  expect(lines.join('')).not.toContain('\n');
  expect(startWarnings({ egressAllowCidrs: [], signUp: 'closed' })).toEqual([]);
});
