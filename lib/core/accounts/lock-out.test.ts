import { expect, test } from 'vitest';
import { reasonOfSignIn } from '@/lib/core/reasons/sign-in-reason';
import { lockOutMessage, lockOutWaitOf } from './lock-out';

test.each([
  [0, { count: 1, unit: 'second' }],
  [42, { count: 42, unit: 'second' }],
  [61, { count: 2, unit: 'minute' }],
  [900, { count: 15, unit: 'minute' }],
  [10_800, { count: 3, unit: 'hour' }],
] as const)('the message of a lockout of %d s has the waiting time', (seconds, wait) => {
  expect(lockOutWaitOf(reasonOfSignIn(lockOutMessage(seconds)))).toEqual(wait);
});

test('a reason that is no lockout has no waiting time', () => {
  expect(lockOutWaitOf(reasonOfSignIn('Login is temporarily unavailable. Try again in a minute'))).toBeNull();
  expect(lockOutWaitOf(reasonOfSignIn('CredentialsSignin'))).toBeNull();
});
