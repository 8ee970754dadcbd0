import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import type { Translator } from '@/components/i18n/messages';
import { RelativeTime } from '@/components/ui/relative-time';
import { StatusPill, type StatusTone } from '@/components/ui/status-pill';
import { type DataColumn, DataTable } from '@/components/ui/table/data-table';
import { RowLink } from '@/components/ui/table/table';
import type { Webhook, WebhookDelivery } from '@/lib/contract/webhooks/webhook';

interface Status {
  readonly tone: StatusTone;
  readonly label: string;
}

type WebhookTranslator = Translator<'webhooks.webhookTexts'>;

/** Label and tone of the state of a webhook. */
export function webhookStatus(t: WebhookTranslator, { disabled, disabledReason, status }: Webhook): Status {
  if (disabled) return { tone: disabledReason ? 'warn' : 'idle', label: t('status.disabled') };
  const { lastTriggeredAt = 0, lastFailure } = status ?? {};
  // The last attempt failed if the last failure is at most 1 s older than the last attempt.
  if (lastFailure && lastFailure.timestamp >= lastTriggeredAt - 1_000)
    return { tone: 'warn', label: t('status.failing') };
  return { tone: 'accent', label: t(lastTriggeredAt > 0 ? 'status.delivering' : 'status.waiting') };
}

/** Why the service disabled a webhook, with advice; null if the webhook is enabled or a member disabled it. */
export function disabledReasonText(
  t: WebhookTranslator,
  { disabled, disabledReason }: Webhook,
): string | null {
  return disabled && disabledReason ? t(`switchedOff.${disabledReason}`) : null;
}

const deliveryTones: Readonly<Record<WebhookDelivery['state'], StatusTone>> = {
  ok: 'accent',
  pending: 'warn',
  failed: 'live',
  skipped: 'idle',
};

/** Label and tone of the state of a delivery. */
export const deliveryStatus = (t: WebhookTranslator, { state }: WebhookDelivery): Status => ({
  tone: deliveryTones[state],
  label: t(`delivery.${state}`),
});

/**
 * Formats the time until a date: "in 12 s", from 90 seconds on "in 4 min", and "now" for a past date.
 * @param until Unix milliseconds
 * @param now Unix milliseconds
 */
export function formatUntil(t: WebhookTranslator, until: number, now: number): string {
  const seconds = Math.round((until - now) / 1000);
  if (seconds <= 0) return t('now');
  return seconds < 90 ? t('inSeconds', { seconds }) : t('inMinutes', { minutes: Math.round(seconds / 60) });
}

/**
 * Table of webhooks.
 * @param webhooks undefined while loading
 */
export function WebhookTable({ webhooks }: { webhooks: readonly Webhook[] | undefined }) {
  const t = useTranslations('webhooks.webhookTable');
  // Memoized, because new columns re-render all rows.
  const columns = useMemo(() => columnsOf(t), [t]);
  return (
    <DataTable
      label={t('webhooks')}
      columns={columns}
      rows={webhooks}
      nameOf={({ name }) => name}
      placeholderRows={3}
    />
  );
}

function WebhookStatus({ webhook }: { webhook: Webhook }) {
  const { tone, label } = webhookStatus(useTranslations('webhooks.webhookTexts'), webhook);
  return <StatusPill tone={tone}>{label}</StatusPill>;
}

const columnsOf = (t: Translator<'webhooks.webhookTable'>): readonly DataColumn<Webhook>[] => [
  {
    head: t('name'),
    skeleton: 'h-4 w-48',
    className: 'py-2',
    cell: ({ id, name, url }) => (
      <>
        <RowLink href={`/developers/webhooks/${id}`}>{name}</RowLink>
        <span className="text-ink-3 block font-mono text-xs wrap-anywhere">{url}</span>
      </>
    ),
  },
  {
    head: t('status'),
    phone: true,
    skeleton: 'h-6 w-20',
    cell: (webhook) => <WebhookStatus webhook={webhook} />,
  },
  {
    head: t('events'),
    skeleton: 'h-4 w-32',
    cell: ({ events }) => (
      <span className="text-ink-2 font-mono text-sm" title={events.join('\n')}>
        {events[0]}
        {events.length > 1 && ` +${events.length - 1}`}
      </span>
    ),
  },
  {
    head: t('lastDelivery'),
    phone: true,
    skeleton: 'h-4 w-20',
    cell: ({ status }) => <RelativeTime at={status?.lastTriggeredAt} />,
  },
];
