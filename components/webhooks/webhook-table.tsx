import { DataTable, type DataColumn } from '@/components/ui/data-table';
import { RelativeTime } from '@/components/ui/relative-time';
import { RowLink } from '@/components/ui/row-link';
import { StatusPill } from '@/components/ui/status-pill';
import type { Webhook } from '@/lib/contract/webhook';
import { webhookStatus } from './webhook-status';

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
    still: 'h-4 w-20',
    cell: ({ status }) => <RelativeTime at={status?.lastTriggeredAt} />,
  },
];
