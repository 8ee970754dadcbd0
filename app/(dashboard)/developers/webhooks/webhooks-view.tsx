'use client';

import { WebhookTable } from '@/components/webhooks/webhook-table';
import { EmptyState } from '@/components/ui/empty-state';
import { LoadFailed } from '@/components/ui/load-failed';
import { PageHeader } from '@/components/ui/page-header';
import { useWebhooks } from '@/lib/client/webhook-queries';
import { CreateWebhook } from './create-webhook';

export function WebhooksView() {
  const webhooks = useWebhooks();
  return (
    <>
      <PageHeader
        title="Webhooks"
        description="Events of your streams, recordings and assets, sent to your server, signed and logged."
        action={<CreateWebhook />}
      />
      {webhooks.isError && !webhooks.data ? (
        <LoadFailed what="The webhooks" error={webhooks.error} onRetry={() => void webhooks.refetch()} />
      ) : webhooks.data?.items.length === 0 ? (
        <EmptyState
          title="No webhooks yet"
          command={{
            label: 'To try it without a public server, forward events to your own machine:',
            code: 'npm run cli -- listen --forward http://localhost:4000/hook --key $HEADWATER_API_KEY',
          }}
        >
          Create one and your server is told when a stream starts or ends, when a recording is ready, when an
          upload failed.
        </EmptyState>
      ) : (
        <WebhookTable webhooks={webhooks.data?.items} />
      )}
    </>
  );
}
