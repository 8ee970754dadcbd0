import { expect, test } from 'vitest';
import { decideAccountAction } from './account-management';

const ownAccount = { rejected: 'own_account' };
const operatorRejection = { rejected: 'operator_account' };

test.each([
  ['suspend', false, false, false, 'change'],
  ['suspend', false, false, true, 'nothing'],
  ['suspend', false, true, false, operatorRejection],
  ['suspend', true, true, false, ownAccount],
  ['suspend', true, false, false, ownAccount],
  ['unsuspend', false, false, true, 'change'],
  ['unsuspend', false, false, false, 'nothing'],
  ['unsuspend', false, true, true, 'change'],
  ['unsuspend', true, true, false, 'nothing'],
  ['delete', false, false, false, 'change'],
  ['delete', false, false, true, 'change'],
  ['delete', false, true, false, operatorRejection],
  ['delete', true, true, false, ownAccount],
] as const)(
  'the effect of %s on an account (own: %s, operator: %s, suspended: %s) is %j',
  (action, isOwn, isOperator, isSuspended, outcome) => {
    expect(decideAccountAction(action, { isOwn, isOperator, isSuspended })).toEqual(outcome);
  },
);
