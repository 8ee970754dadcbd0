import { RelativeTime } from '@/components/ui/relative-time';
import { StatusPill, type StatusTone } from '@/components/ui/status-pill';
import { type DataColumn, DataTable } from '@/components/ui/table/data-table';
import { RowLink } from '@/components/ui/table/table';
import type { Webhook, WebhookDelivery } from '@/lib/contract/webhooks/webhook';

interface Status {
  readonly tone: StatusTone;
  readonly label: string;
}

/** The one word for how a webhook does. */
export function webhookStatus({ disabled, disabledReason, status }: Webhook): Status {
  if (disabled)
    return disabledReason ? { tone: 'warn', label: 'Disabled' } : { tone: 'idle', label: 'Disabled' };
  const { lastTriggeredAt = 0, lastFailure } = status ?? {};
  // A failure that is not younger than the last attempt was the last attempt.
  if (lastFailure && lastFailure.timestamp >= lastTriggeredAt - 1_000)
    return { tone: 'warn', label: 'Failing' };
  return { tone: 'accent', label: lastTriggeredAt > 0 ? 'Delivering' : 'Waiting' };
}

/** Why the service switched a webhook off, and what to do; null when it did not. */
export function switchedOffWords({ disabled, disabledReason }: Webhook): string | null {
  if (!disabled || !disabledReason) return null;
  return disabledReason === 'gone'
    ? 'Disabled because the receiver answered 410 Gone. Turn it on when the receiver is back.'
    : 'Disabled because every delivery failed for three days. Turn it on when the receiver works again.';
}

const deliveryStatuses: Readonly<Record<WebhookDelivery['state'], Status>> = {
  ok: { tone: 'accent', label: 'Delivered' },
  pending: { tone: 'warn', label: 'Pending' },
  failed: { tone: 'live', label: 'Failed' },
  skipped: { tone: 'idle', label: 'Skipped' },
};

export const deliveryStatus = ({ state }: WebhookDelivery): Status => deliveryStatuses[state];

/** "in 12 s", "in 4 min", "now": how long until a time. Both in milliseconds. */
export function untilInWords(at: number, now: number): string {
  const seconds = Math.round((at - now) / 1000);
  if (seconds <= 0) return 'now';
  return seconds < 90 ? `in ${seconds} s` : `in ${Math.round(seconds / 60)} min`;
}

/** @param props.webhooks undefined = not loaded yet */
export function WebhookTable({ webhooks }: { webhooks: readonly Webhook[] | undefined }) {
  return (
    <DataTable label="Webhooks" columns={columns} rows={webhooks} nameOf={({ name }) => name} stillRows={3} />
  );
}

const columns: readonly DataColumn<Webhook>[] = [
  {
    head: 'Name',
    still: 'h-4 w-48',
    className: 'py-2',
    cell: ({ id, name, url }) => (
      <>
        <RowLink href={`/developers/webhooks/${id}`}>{name}</RowLink>
        <span className="text-ink-3 block font-mono text-xs wrap-anywhere">{url}</span>
      </>
    ),
  },
  {
    head: 'Status',
    phone: true,
    still: 'h-6 w-20',
    cell: (webhook) => {
      const { tone, label } = webhookStatus(webhook);
      return <StatusPill tone={tone}>{label}</StatusPill>;
    },
  },
  {
    head: 'Events',
    still: 'h-4 w-32',
    cell: ({ events }) => (
      <span className="text-ink-2 font-mono text-sm" title={events.join('\n')}>
        {events[0]}
        {events.length > 1 && ` +${events.length - 1}`}
      </span>
    ),
  },
  {
    head: 'Last delivery',
    phone: true,
    still: 'h-4 w-20',
    cell: ({ status }) => <RelativeTime at={status?.lastTriggeredAt} />,
  },
];
