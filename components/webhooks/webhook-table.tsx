import Link from 'next/link';
import { RelativeTime } from '@/components/ui/relative-time';
import { Skeleton } from '@/components/ui/skeleton';
import { StatusPill } from '@/components/ui/status-pill';
import { Cell, Column, Row, Table } from '@/components/ui/table';
import type { Webhook } from '@/lib/contract/webhook';
import { webhookStatus } from './webhook-status';

const SKELETON_ROWS = 3;

/** @param props.webhooks undefined = not loaded yet */
export function WebhookTable({ webhooks }: { webhooks: readonly Webhook[] | undefined }) {
  return (
    <Table
      label="Webhooks"
      head={
        <>
          <Column>Name</Column>
          <Column>Status</Column>
          <Column>Events</Column>
          <Column>Last delivery</Column>
        </>
      }
    >
      {webhooks
        ? webhooks.map((webhook) => <WebhookRow key={webhook.id} webhook={webhook} />)
        : Array.from({ length: SKELETON_ROWS }, (_, index) => (
            <Row key={index}>
              <Cell>
                <Skeleton className="h-4 w-48" />
              </Cell>
              <Cell label="Status">
                <Skeleton className="h-6 w-20" />
              </Cell>
              <Cell label="Events">
                <Skeleton className="h-4 w-32" />
              </Cell>
              <Cell label="Last delivery">
                <Skeleton className="h-4 w-20" />
              </Cell>
            </Row>
          ))}
    </Table>
  );
}

function WebhookRow({ webhook }: { webhook: Webhook }) {
  const { tone, label } = webhookStatus(webhook);
  const [first = '', ...others] = webhook.events;
  return (
    <Row>
      <Cell className="py-2">
        <Link
          href={`/developers/webhooks/${webhook.id}`}
          className="font-medium wrap-anywhere hover:underline"
        >
          {webhook.name}
        </Link>
        <span className="text-ink-3 block font-mono text-xs wrap-anywhere">{webhook.url}</span>
      </Cell>
      <Cell label="Status">
        <StatusPill tone={tone}>{label}</StatusPill>
      </Cell>
      <Cell label="Events">
        <span className="text-ink-2 font-mono text-sm" title={webhook.events.join('\n')}>
          {first}
          {others.length > 0 && ` +${others.length}`}
        </span>
      </Cell>
      <Cell label="Last delivery">
        <RelativeTime at={webhook.status?.lastTriggeredAt} />
      </Cell>
    </Row>
  );
}
