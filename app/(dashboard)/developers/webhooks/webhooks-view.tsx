'use client';

import { Webhook } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { WebhookTable } from '@/components/webhooks/webhook-table';
import { EmptyState, LoadErrorMessage } from '@/components/ui/empty-state';
import { PageHeader } from '@/components/ui/page-header';
import { useWebhooks } from '@/lib/client/queries/webhook-queries';
import { CreateWebhookDialog } from '@/components/webhooks/webhook-form';

export function WebhooksView() {
  const t = useTranslations('webhooks.webhooksView');
  const webhooks = useWebhooks();
  return (
    <>
      <PageHeader title={t('title')} description={t('description')} action={<CreateWebhookDialog />} />
      {webhooks.isError && !webhooks.data ? (
        <LoadErrorMessage
          subject={t('theWebhooks')}
          error={webhooks.error}
          onRetry={() => void webhooks.refetch()}
        />
      ) : webhooks.data?.items.length === 0 ? (
        <EmptyState
          title={t('noWebhooksYet')}
          icon={Webhook}
          command={{
            label: t('noPublicServer'),
            code: 'npm run cli -- listen --forward http://localhost:4000/hook --key $HEADWATER_API_KEY',
          }}
        >
          {t('createOne')}
        </EmptyState>
      ) : (
        <WebhookTable webhooks={webhooks.data?.items} />
      )}
    </>
  );
}
