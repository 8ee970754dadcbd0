'use client';

import { WebhookTable } from '@/components/webhooks/webhook-table';
import { EmptyState, LoadFailed } from '@/components/ui/empty-state';
import { PageHeader } from '@/components/ui/page-header';
import { useWebhooks } from '@/lib/client/queries/webhook-queries';
import { CreateWebhook } from '@/components/webhooks/webhook-form';

export function WebhooksView() {
  const webhooks = useWebhooks();
  return (
    <>
      <PageHeader
        title="Webhooks"
        description="Send signed events about your streams, recordings and assets to your server."
        action={<CreateWebhook />}
      />
      {webhooks.isError && !webhooks.data ? (
        <LoadFailed what="The webhooks" error={webhooks.error} onRetry={() => void webhooks.refetch()} />
      ) : webhooks.data?.items.length === 0 ? (
        <EmptyState
          title="No webhooks yet"
          command={{
            label: 'No public server? Forward events to your own machine:',
            code: 'npm run cli -- listen --forward http://localhost:4000/hook --key $HEADWATER_API_KEY',
          }}
        >
          Create one to notify your server when a stream starts or ends, a recording is ready or an upload
          fails.
        </EmptyState>
      ) : (
        <WebhookTable webhooks={webhooks.data?.items} />
      )}
    </>
  );
}
