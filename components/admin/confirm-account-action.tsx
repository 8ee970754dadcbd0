import { useState } from 'react';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { ConfirmDialog } from '@/components/ui/overlay/confirm-dialog';
import { errorMessagesOf } from '@/lib/client/call';
import { useRemoveAccount, useSetSuspended } from '@/lib/client/queries/admin-queries';
import type { ManagedAccount } from '@/lib/contract/accounts/admin';

export type AccountAction = 'suspend' | 'unsuspend' | 'delete';

export interface RequestedAction {
  readonly action: AccountAction;
  readonly account: ManagedAccount;
}

/**
 * Asks for confirmation of an action on an account.
 * @param requestedAction the action; null = closed
 */
export function ConfirmAccountActionDialog({
  requestedAction,
  onClose,
}: {
  requestedAction: RequestedAction | null;
  onClose: () => void;
}) {
  const t = useTranslations('admin.accounts');
  const setSuspended = useSetSuspended();
  const removeAccount = useRemoveAccount();
  // Keeps the text of the dialog while it closes.
  const [lastAction, setLastAction] = useState<RequestedAction | null>(null);
  if (requestedAction && requestedAction !== lastAction) setLastAction(requestedAction);
  const action = lastAction?.action ?? 'suspend';
  const email = lastAction?.account.email ?? '';
  const close = () => {
    setSuspended.reset();
    removeAccount.reset();
    onClose();
  };
  const onSuccess = () => {
    toast.success(t(`${action}.done`, { email }));
    close();
  };
  return (
    <ConfirmDialog
      open={requestedAction !== null}
      onOpenChange={(open) => !open && close()}
      title={t(`${action}.title`, { email })}
      {...(action === 'delete' ? { confirmationWord: t('deleteWord') } : {})}
      confirmLabel={t(`${action}.do`)}
      pending={setSuspended.isPending || removeAccount.isPending}
      error={errorMessagesOf(setSuspended.error ?? removeAccount.error)[0]}
      onConfirm={() => {
        if (!requestedAction) return;
        const { id } = requestedAction.account;
        if (action === 'delete') removeAccount.mutate(id, { onSuccess });
        else setSuspended.mutate({ id, suspended: action === 'suspend' }, { onSuccess });
      }}
    >
      {t(`${action}.text`)}
    </ConfirmDialog>
  );
}
