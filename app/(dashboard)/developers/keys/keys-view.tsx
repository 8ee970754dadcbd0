'use client';

import { useState } from 'react';
import { toast } from 'sonner';
import { sentencesOf } from '@/lib/client/call';
import { KeyTable } from '@/components/keys/key-table';
import { ConfirmDialog } from '@/components/ui/overlay/confirm-dialog';
import { EmptyState, LoadFailed } from '@/components/ui/empty-state';
import { PageHeader } from '@/components/ui/page-header';
import { useApiKeys, useDeleteApiKey } from '@/lib/client/queries/stream-queries';
import type { ApiKey } from '@/lib/contract/accounts/api-key';
import { useAddresses } from '@/lib/client/queries/addresses';
import { CreateKey } from '@/components/keys/create-key';
import { RevealKey } from '@/components/keys/reveal-form';

export function KeysView({ email }: { email: string }) {
  const [today] = useState(() => Date.now());
  const keys = useApiKeys();
  const addresses = useAddresses();
  const [revealing, setRevealing] = useState<ApiKey | null>(null);
  const [doomed, setDoomed] = useState<ApiKey | null>(null);
  return (
    <>
      <PageHeader
        title="API keys"
        description="Keys let your code call the API on your behalf."
        action={<CreateKey />}
      />
      {keys.isError && !keys.data ? (
        <LoadFailed what="The keys" error={keys.error} onRetry={() => void keys.refetch()} />
      ) : keys.data?.length === 0 ? (
        <EmptyState
          title="No keys yet"
          {...(addresses
            ? {
                command: {
                  label: 'Check that a key works:',
                  code: `curl ${addresses.base}/api/user/me -H "Authorization: Bearer $HEADWATER_API_KEY"`,
                },
              }
            : {})}
        >
          Create a key to manage streams and assets from your own code. The dashboard does not need one.
        </EmptyState>
      ) : (
        <KeyTable keys={keys.data} today={today} onReveal={setRevealing} onDelete={setDoomed} />
      )}
      <RevealKey apiKey={revealing} email={email} onClose={() => setRevealing(null)} />
      <DeleteKey apiKey={doomed} onClose={() => setDoomed(null)} />
    </>
  );
}

function DeleteKey({ apiKey, onClose }: { apiKey: ApiKey | null; onClose: () => void }) {
  const remove = useDeleteApiKey();
  const close = () => {
    remove.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      open={apiKey !== null}
      onOpenChange={(open) => !open && close()}
      title={`Delete the key “${apiKey?.name ?? ''}”?`}
      word="delete"
      confirm="Delete key"
      pending={remove.isPending}
      error={sentencesOf(remove.error)[0]}
      onConfirm={() => {
        if (!apiKey) return;
        remove.mutate(apiKey.id, {
          onSuccess: () => {
            toast.success(`Deleted the key “${apiKey.name}”`);
            close();
          },
        });
      }}
    >
      Everything that uses lsk_…{apiKey?.last4} stops working at once. This cannot be undone.
    </ConfirmDialog>
  );
}
