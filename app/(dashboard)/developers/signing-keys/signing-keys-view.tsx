'use client';

import { Signature } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { CreateSigningKeyDialog, SigningKeyForm } from '@/components/access/create-signing-key';
import { type SigningKeyAction, SigningKeyTable } from '@/components/access/signing-key-table';
import { tokenSnippets } from '@/components/access/token-snippets';
import { CodeBlock } from '@/components/ui/copy/code-block';
import { copyText } from '@/components/ui/copy/copy-button';
import { EmptyState, LoadErrorMessage } from '@/components/ui/empty-state';
import { ConfirmDialog } from '@/components/ui/overlay/confirm-dialog';
import { Dialog } from '@/components/ui/overlay/dialog';
import { SiblingNav } from '@/components/shell/sibling-nav';
import { PageHeader } from '@/components/ui/page-header';
import { Panel } from '@/components/ui/panel';
import { Tabs } from '@/components/ui/tabs';
import { errorMessagesOf } from '@/lib/client/call';
import {
  useDeleteSigningKey,
  useSigningKeys,
  useUpdateSigningKey,
} from '@/lib/client/queries/access-queries';
import type { SigningKey } from '@/lib/contract/access/signing-key';

interface RequestedSigningKeyAction {
  readonly action: 'rename' | 'disable' | 'delete';
  readonly signingKey: SigningKey;
}

export function SigningKeysView() {
  const t = useTranslations('access.keysView');
  const tKeyTable = useTranslations('access.keyTable');
  const keys = useSigningKeys();
  const update = useUpdateSigningKey();
  const [requestedAction, setRequestedAction] = useState<RequestedSigningKeyAction | null>(null);
  const close = () => setRequestedAction(null);
  const handleAction = (action: SigningKeyAction, signingKey: SigningKey) => {
    if (action === 'copy')
      void copyText(signingKey.publicKey).then(
        (wasCopied) => wasCopied && toast.success(tKeyTable('copied')),
      );
    else if (action !== 'enable') setRequestedAction({ action, signingKey });
    else {
      update.mutate(
        { id: signingKey.id, disabled: false },
        { onError: (error) => toast.error(t('notSaved'), { description: error.message }) },
      );
    }
  };
  return (
    <>
      <PageHeader
        nav={<SiblingNav />}
        title={t('title')}
        description={t('description')}
        action={<CreateSigningKeyDialog />}
      />
      <div className="grid gap-6">
        {keys.isError && !keys.data ? (
          <LoadErrorMessage subject={t('theKeys')} error={keys.error} onRetry={() => void keys.refetch()} />
        ) : keys.data?.length === 0 ? (
          <EmptyState title={t('noKeysYet')} icon={Signature}>
            {t('createOne')}
          </EmptyState>
        ) : (
          <SigningKeyTable keys={keys.data} onAction={handleAction} />
        )}
        <TokenSnippetsPanel />
      </div>
      {requestedAction?.action === 'rename' && (
        <RenameSigningKeyDialog signingKey={requestedAction.signingKey} onClose={close} />
      )}
      {requestedAction?.action === 'disable' && (
        <DisableSigningKeyDialog signingKey={requestedAction.signingKey} onClose={close} />
      )}
      {requestedAction?.action === 'delete' && (
        <DeleteSigningKeyDialog signingKey={requestedAction.signingKey} onClose={close} />
      )}
    </>
  );
}

function TokenSnippetsPanel() {
  const t = useTranslations('access.keysView');
  return (
    <Panel
      title={t('snippets')}
      description={t.rich('snippetsText', {
        code: (text) => <code className="font-mono whitespace-nowrap">{text}</code>,
      })}
    >
      <Tabs
        label={t('language')}
        tabs={tokenSnippets.map(({ value, label, code }) => ({
          value,
          label,
          content: <CodeBlock label={label} code={code} />,
        }))}
      />
    </Panel>
  );
}

interface SigningKeyDialogProps {
  signingKey: SigningKey;
  onClose: () => void;
}

function RenameSigningKeyDialog({ signingKey, onClose }: SigningKeyDialogProps) {
  const t = useTranslations('access.keyTable');
  const update = useUpdateSigningKey();
  const { id, name } = signingKey;
  return (
    <Dialog open onOpenChange={(next) => !next && onClose()} title={t('renameTitle', { name })}>
      <SigningKeyForm
        name={name}
        submitLabel={t('save')}
        mutation={update}
        onSubmit={(newName) => update.mutate({ id, name: newName }, { onSuccess: onClose })}
      />
    </Dialog>
  );
}

function DisableSigningKeyDialog({ signingKey, onClose }: SigningKeyDialogProps) {
  const t = useTranslations('access.keyTable');
  const update = useUpdateSigningKey();
  const { id, name } = signingKey;
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('disableTitle', { name })}
      confirmLabel={t('disableKey')}
      pending={update.isPending}
      error={errorMessagesOf(update.error)[0]}
      onConfirm={() => update.mutate({ id, disabled: true }, { onSuccess: onClose })}
    >
      {t('disableText')}
    </ConfirmDialog>
  );
}

function DeleteSigningKeyDialog({ signingKey, onClose }: SigningKeyDialogProps) {
  const t = useTranslations('access.keysView');
  const remove = useDeleteSigningKey();
  const { id, name } = signingKey;
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('deleteTitle', { name })}
      confirmationWord={t('deleteWord')}
      confirmLabel={t('deleteKey')}
      pending={remove.isPending}
      error={errorMessagesOf(remove.error)[0]}
      onConfirm={() =>
        remove.mutate(id, {
          onSuccess: () => {
            toast.success(t('deleted', { name }));
            onClose();
          },
        })
      }
    >
      {t('whatStops')}
    </ConfirmDialog>
  );
}
