'use client';

import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { errorMessagesOf } from '@/lib/client/call';
import { KeyTable } from '@/components/keys/key-table';
import { ConfirmDialog } from '@/components/ui/overlay/confirm-dialog';
import { EmptyState, LoadErrorMessage } from '@/components/ui/empty-state';
import { SiblingNav } from '@/components/shell/sibling-nav';
import { PageHeader } from '@/components/ui/page-header';
import { useApiKeys, useDeleteApiKey } from '@/lib/client/queries/api-key-queries';
import type { ApiKey } from '@/lib/contract/accounts/api-key';
import { usePublicUrls } from '@/lib/client/queries/public-urls';
import { CreateKeyDialog } from '@/components/keys/create-key';
import { RevealKeyDialog } from '@/components/keys/reveal-form';

export function KeysView({ email }: { email: string }) {
  const t = useTranslations('keys.keysView');
  const [today] = useState(() => Date.now());
  const keys = useApiKeys();
  const urls = usePublicUrls();
  const [keyToReveal, setKeyToReveal] = useState<ApiKey | null>(null);
  const [keyToDelete, setKeyToDelete] = useState<ApiKey | null>(null);
  return (
    <>
      <PageHeader
        nav={<SiblingNav />}
        title={t('title')}
        description={t('description')}
        action={<CreateKeyDialog />}
      />
      {keys.isError && !keys.data ? (
        <LoadErrorMessage subject={t('theKeys')} error={keys.error} onRetry={() => void keys.refetch()} />
      ) : keys.data?.length === 0 ? (
        <EmptyState
          title={t('noKeysYet')}
          icon={KeyRound}
          {...(urls
            ? {
                command: {
                  label: t('checkThatAKeyWorks'),
                  code: `curl ${urls.baseUrl}/api/user/me -H "Authorization: Bearer $HEADWATER_API_KEY"`,
                },
              }
            : {})}
        >
          {t('createOne')}
        </EmptyState>
      ) : (
        <KeyTable keys={keys.data} today={today} onReveal={setKeyToReveal} onDelete={setKeyToDelete} />
      )}
      <RevealKeyDialog apiKey={keyToReveal} email={email} onClose={() => setKeyToReveal(null)} />
      <DeleteKeyDialog apiKey={keyToDelete} onClose={() => setKeyToDelete(null)} />
    </>
  );
}

function DeleteKeyDialog({ apiKey, onClose }: { apiKey: ApiKey | null; onClose: () => void }) {
  const t = useTranslations('keys.keysView');
  const remove = useDeleteApiKey();
  const close = () => {
    remove.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      open={apiKey !== null}
      onOpenChange={(open) => !open && close()}
      title={t('deleteTitle', { name: apiKey?.name ?? '' })}
      confirmationWord={t('deleteWord')}
      confirmLabel={t('deleteKey')}
      pending={remove.isPending}
      error={errorMessagesOf(remove.error)[0]}
      onConfirm={() => {
        if (!apiKey) return;
        remove.mutate(apiKey.id, {
          onSuccess: () => {
            toast.success(t('deleted', { name: apiKey.name }));
            close();
          },
        });
      }}
    >
      {t('whatStops', { key: `lsk_…${apiKey?.last4 ?? ''}` })}
    </ConfirmDialog>
  );
}
