/** Actions of an operator on an account. */
export type AccountAction = 'suspend' | 'unsuspend' | 'delete';

interface ManagedAccount {
  readonly isOwn: boolean;
  /** Whether OPERATOR_EMAILS has the address of the account. */
  readonly isOperator: boolean;
  readonly suspended: boolean;
}

export type ManagementRefusal = 'own_account' | 'operator_account';

/**
 * The effect of an operator's action on an account; `nothing` if the account already has the requested state. Operators
 * can't lock out themselves or each other; a suspended account that became an operator's can be unsuspended.
 */
export function manageAccount(
  action: AccountAction,
  { isOwn, isOperator, suspended }: ManagedAccount,
): 'change' | 'nothing' | { readonly refused: ManagementRefusal } {
  if (action === 'unsuspend') return suspended ? 'change' : 'nothing';
  if (isOwn) return { refused: 'own_account' };
  if (isOperator) return { refused: 'operator_account' };
  return action === 'suspend' && suspended ? 'nothing' : 'change';
}
