import { expect, it } from 'vitest';
import { ConnectionLimits } from './connection-limits';

it('takes as many as allowed from one group', () => {
  const limits = new ConnectionLimits({ connections: 10, connectionsPerAddress: 2 });
  expect([limits.enter('a'), limits.enter('a'), limits.enter('a'), limits.enter('b')]).toEqual([
    true,
    true,
    false,
    true,
  ]);
  expect(limits.total).toBe(3);
  limits.leave('a');
  expect(limits.enter('a')).toBe(true);
});

it('takes as many as allowed in total', () => {
  const limits = new ConnectionLimits({ connections: 2, connectionsPerAddress: 2 });
  expect([limits.enter('a'), limits.enter('b'), limits.enter('c')]).toEqual([true, true, false]);
  limits.leave('b');
  expect(limits.enter('c')).toBe(true);
  expect(limits.total).toBe(2);
});
