/** Actions of an operator on an account. */
export type AccountAction = 'suspend' | 'unsuspend' | 'delete';

interface ManagedAccount {
  readonly isOwn: boolean;
  /** OPERATOR_EMAILS names its address. */
  readonly isOperator: boolean;
  readonly suspended: boolean;
}

export type ManagementRefusal = 'own_account' | 'operator_account';

/**
 * What an operator's action on an account comes to: `nothing` if the account is as asked already. Operators can't lock out
 * themselves or each other; a suspended account that became an operator's can be unsuspended.
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
