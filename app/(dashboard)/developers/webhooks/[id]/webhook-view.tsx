'use client';

import Link from 'next/link';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { ObjectHeader, ObjectTitle } from '@/components/ui/page-header';
import { CodeBlock } from '@/components/ui/copy/code-block';
import { IfPermitted, useHasRole } from '@/components/teams/use-team';
import { Button } from '@/components/ui/button';
import { EmptyState, LoadErrorMessage } from '@/components/ui/empty-state';
import { Notice } from '@/components/ui/notice';
import { Panel } from '@/components/ui/panel';
import { Skeleton } from '@/components/ui/skeleton';
import { StatusPill } from '@/components/ui/status-pill';
import { SwitchRow } from '@/components/ui/form/toggle';
import { Tabs } from '@/components/ui/tabs';
import { verifySnippets } from '@/components/webhooks/verify-snippets';
import { disabledReasonText, webhookStatus } from '@/components/webhooks/webhook-table';
import { ApiCallError } from '@/lib/client/call';
import { useStream } from '@/lib/client/queries/stream-queries';
import { useUpdateWebhook, useWebhook } from '@/lib/client/queries/webhook-queries';
import type { Webhook } from '@/lib/contract/webhooks/webhook';
import { DeliveriesPanel } from '@/components/webhooks/deliveries-panel';
import { WebhookMenu } from '@/components/webhooks/webhook-menu';

export function WebhookView({ id, email }: { id: string; email: string }) {
  const t = useTranslations('webhooks.webhookView');
  const webhook = useWebhook(id);
  return (
    <>
      {webhook.data ? (
        <WebhookContent webhook={webhook.data} email={email} />
      ) : webhook.error instanceof ApiCallError && [404, 422].includes(webhook.error.status) ? (
        <EmptyState
          title={t('webhookNotFound')}
          action={
            <Button asChild>
              <Link href="/developers/webhooks">{t('allWebhooks')}</Link>
            </Button>
          }
        >
          {t('deletedOrNeverThere')}
        </EmptyState>
      ) : webhook.isError ? (
        <LoadErrorMessage
          subject={t('theWebhook')}
          error={webhook.error}
          onRetry={() => void webhook.refetch()}
        />
      ) : (
        <div aria-busy="true" className="grid gap-6">
          <Skeleton className="h-8 w-64" />
          <Skeleton className="h-64 w-full" />
        </div>
      )}
    </>
  );
}

function WebhookContent({ webhook, email }: { webhook: Webhook; email: string }) {
  const t = useTranslations('webhooks.webhookView');
  const tWebhookTexts = useTranslations('webhooks.webhookTexts');
  const { tone, label } = webhookStatus(tWebhookTexts, webhook);
  const disabledText = disabledReasonText(tWebhookTexts, webhook);
  return (
    <>
      <ObjectHeader
        back={{ href: '/developers/webhooks', label: t('webhooks') }}
        title={<ObjectTitle name={webhook.name} />}
        description={
          <span className="flex flex-wrap items-center gap-x-3 gap-y-2">
            <StatusPill tone={tone}>{label}</StatusPill>
            <span className="font-mono text-sm wrap-anywhere">{webhook.url}</span>
          </span>
        }
        action={
          <IfPermitted>
            <WebhookMenu webhook={webhook} email={email} />
          </IfPermitted>
        }
      />
      {disabledText && (
        <div className="mb-6">
          <Notice>{disabledText}</Notice>
        </div>
      )}
      <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <DeliveriesPanel webhook={webhook} />
        <div className="grid min-w-0 gap-6">
          <WebhookSettingsPanel webhook={webhook} />
          <Panel title={t('verifyTheSignature')} description={t('whyVerify')}>
            <Tabs
              label={t('languages')}
              tabs={verifySnippets.map(({ value, label: language, code }) => ({
                value,
                label: language,
                content: <CodeBlock label={t('example', { language })} code={code} />,
              }))}
            />
          </Panel>
        </div>
      </div>
    </>
  );
}

function WebhookSettingsPanel({ webhook }: { webhook: Webhook }) {
  const t = useTranslations('webhooks.webhookView');
  const update = useUpdateWebhook(webhook.id);
  const mayChange = useHasRole('developer');
  return (
    <Panel title={t('settings')}>
      <div className="grid gap-5">
        <SwitchRow
          label={t('deliverEvents')}
          description={t('whenOff')}
          checked={!webhook.disabled}
          disabled={!mayChange}
          onChange={(isEnabled) =>
            update.mutate(
              { disabled: !isEnabled },
              {
                onError: (error) => toast.error(t('notSaved'), { description: error.message }),
              },
            )
          }
        />
        <div>
          <h3 className="text-sm font-medium">{t('events')}</h3>
          <ul className="text-ink-2 mt-1 grid gap-0.5 font-mono text-sm">
            {webhook.events.map((event) => (
              <li key={event}>{event}</li>
            ))}
          </ul>
        </div>
        <div>
          <h3 className="text-sm font-medium">{t('stream')}</h3>
          {webhook.streamId ? (
            <StreamName id={webhook.streamId} />
          ) : (
            <p className="text-ink-2 mt-1 text-sm">{t('allStreams')}</p>
          )}
        </div>
      </div>
    </Panel>
  );
}

/** Name of the stream with a link to it. Until the name is loaded, and for a deleted stream, its id. */
function StreamName({ id }: { id: string }) {
  const { data } = useStream(id);
  if (!data) return <p className="text-ink-2 mt-1 font-mono text-sm wrap-anywhere">{id}</p>;
  return (
    <Link
      href={`/streams/${id}`}
      className="text-accent-ink mt-1 block text-sm wrap-anywhere hover:underline"
    >
      {data.name}
    </Link>
  );
}
