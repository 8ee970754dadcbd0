/** Actions of an operator on an account. */
export type AccountAction = 'suspend' | 'unsuspend' | 'delete';

interface ManagedAccount {
  /** Whether it is the account of the operator who acts. */
  readonly isOwn: boolean;
  /** Whether OPERATOR_EMAILS has the address of the account. */
  readonly isOperator: boolean;
  readonly isSuspended: boolean;
}

export type ManagementRejection = 'own_account' | 'operator_account';

/**
 * The effect of an operator's action on an account; `nothing` if the account already has the requested state. Operators
 * can't suspend or delete their own account or that of another operator. An account that
 * was suspended before it became an operator can be unsuspended.
 */
export function decideAccountAction(
  action: AccountAction,
  { isOwn, isOperator, isSuspended }: ManagedAccount,
): 'change' | 'nothing' | { readonly rejected: ManagementRejection } {
  if (action === 'unsuspend') return isSuspended ? 'change' : 'nothing';
  if (isOwn) return { rejected: 'own_account' };
  if (isOperator) return { rejected: 'operator_account' };
  return action === 'suspend' && isSuspended ? 'nothing' : 'change';
}
