'use client';

import { useState } from 'react';
import { usePathname, useSearchParams } from 'next/navigation';
import { toast } from 'sonner';
import { Button } from '@/components/ui/button';
import { LoadFailed } from '@/components/ui/empty-state';
import { Chips } from '@/components/ui/form/chips';
import { Field, FormError, Input } from '@/components/ui/form/field';
import { otherSentences, sentenceFor } from '@/components/ui/form/server-sentences';
import { Dialog, DialogActions } from '@/components/ui/overlay/dialog';
import { Panel } from '@/components/ui/panel';
import { Skeleton } from '@/components/ui/skeleton';
import { ListPager } from '@/components/ui/table/list-controls';
import { sentencesOf } from '@/lib/client/call';
import {
  useAttempts,
  useDeliveries,
  useReplay,
  useResend,
  useResendFailed,
} from '@/lib/client/queries/webhook-queries';
import type { Webhook, WebhookDelivery } from '@/lib/contract/webhooks/webhook';
import { AttemptList, DeliveryList } from './delivery-list';
import { SendTest } from './send-test';

interface ReplayRangeProps {
  webhook: Webhook;
  onSent: (result: { resent: number }) => void;
}

/** Sends everything again that happened between two moments. */
function ReplayRange({ webhook, onSent }: ReplayRangeProps) {
  const [open, setOpen] = useState(false);
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const replay = useReplay(webhook.id);
  const sentences = sentencesOf(replay.error);
  const submit = () =>
    replay.mutate(
      { from: new Date(from).getTime(), to: new Date(to).getTime() },
      {
        onSuccess: (result) => {
          onSent(result);
          setOpen(false);
        },
      },
    );
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        replay.reset();
      }}
      title="Replay a time range"
      description="Resends every event in the range with the same event IDs. Events are kept for 30 days."
      trigger={
        <Button size="sm" disabled={webhook.disabled}>
          Replay
        </Button>
      }
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="From" error={sentenceFor('from', sentences)}>
          {(field) => (
            <Input
              {...field}
              type="datetime-local"
              value={from}
              onChange={(event) => setFrom(event.target.value)}
            />
          )}
        </Field>
        <Field label="To" error={sentenceFor('to', sentences)}>
          {(field) => (
            <Input
              {...field}
              type="datetime-local"
              value={to}
              onChange={(event) => setTo(event.target.value)}
            />
          )}
        </Field>
      </div>
      <FormError>{otherSentences(['from', 'to'], sentences)}</FormError>
      <DialogActions>
        <Button variant="primary" disabled={!from || !to} pending={replay.isPending} onClick={submit}>
          Replay
        </Button>
      </DialogActions>
    </Dialog>
  );
}

const states = [
  { value: 'all', label: 'All' },
  { value: 'ok', label: 'Delivered' },
  { value: 'pending', label: 'Pending' },
  { value: 'failed', label: 'Failed' },
  { value: 'skipped', label: 'Skipped' },
];

const refused = (error: Error) => toast.error('Couldn’t send the event', { description: error.message });

export function DeliveriesPanel({ webhook }: { webhook: Webhook }) {
  const [state, setState] = useState('all');
  const [cursor, setCursor] = useState<string | null>(null);
  const [only, showAll] = useOnlyDelivery();
  const conditions = [
    ...(state === 'all' ? [] : [{ id: 'state', value: state }]),
    ...(only === null ? [] : [{ id: 'id', value: only }]),
  ];
  const filters = conditions.length > 0 ? JSON.stringify(conditions) : '';
  const deliveries = useDeliveries(webhook.id, {
    limit: '20',
    count: '1',
    ...(filters ? { filters } : {}),
    ...(cursor ? { cursor } : {}),
  });
  const items = deliveries.data?.items ?? [];
  return (
    <Panel title="Deliveries" action={<Actions webhook={webhook} />}>
      <div className="grid gap-4">
        {only === null ? (
          <Chips
            label="State"
            value={state}
            options={states}
            onChange={(next) => {
              setState(next);
              setCursor(null);
            }}
          />
        ) : (
          <p className="text-ink-2 flex min-h-8 flex-wrap items-center gap-x-4 gap-y-2">
            Showing one delivery.
            <Button size="sm" onClick={showAll}>
              Show all deliveries
            </Button>
          </p>
        )}
        {deliveries.isError && !deliveries.data ? (
          <LoadFailed
            what="The deliveries"
            error={deliveries.error}
            onRetry={() => void deliveries.refetch()}
          />
        ) : !deliveries.data ? (
          <div aria-busy="true">
            <Skeleton className="h-40 w-full" />
          </div>
        ) : items.length === 0 ? (
          <p className="text-ink-2 rounded-md border border-dashed px-4 py-8 text-center">
            {only !== null
              ? 'Delivery not found. Deliveries are kept for 30 days.'
              : state !== 'all'
                ? 'No deliveries in this state.'
                : 'No deliveries yet. Send a test event to see one.'}
          </p>
        ) : (
          <DeliveryList
            key={only}
            deliveries={items}
            opened={only}
            now={deliveries.dataUpdatedAt}
            renderAttempts={(delivery) => <Attempts webhook={webhook} delivery={delivery} />}
          />
        )}
        {deliveries.data && items.length > 0 && (
          <ListPager
            what="delivery"
            whats="deliveries"
            page={deliveries.data}
            state={{ cursor }}
            onChange={({ cursor: next = null }) => setCursor(next)}
          />
        )}
      </div>
    </Panel>
  );
}

/** One delivery alone, when the address names it (`?delivery=`). */
function useOnlyDelivery(): [only: string | null, showAll: () => void] {
  const path = usePathname();
  const params = useSearchParams();
  const showAll = () => {
    const next = new URLSearchParams(params);
    next.delete('delivery');
    window.history.pushState(null, '', next.size > 0 ? `${path}?${next.toString()}` : path);
  };
  return [params.get('delivery'), showAll];
}

function Actions({ webhook }: { webhook: Webhook }) {
  const resend = useResendFailed(webhook.id);
  const sent = ({ resent }: { resent: number }) =>
    toast.success(resent === 0 ? 'Nothing to resend' : `${resent} resent`);
  return (
    <div className="flex flex-wrap gap-2">
      <ReplayRange webhook={webhook} onSent={sent} />
      <Button
        size="sm"
        disabled={webhook.disabled}
        pending={resend.isPending}
        onClick={() => resend.mutate(undefined, { onSuccess: sent, onError: refused })}
      >
        Resend failed
      </Button>
      <SendTest webhook={webhook} />
    </div>
  );
}

function Attempts({ webhook, delivery }: { webhook: Webhook; delivery: WebhookDelivery }) {
  const attempts = useAttempts(webhook.id, delivery.id);
  const resend = useResend(webhook.id);
  if (!attempts.data) {
    return attempts.isError ? (
      <LoadFailed what="The attempts" error={attempts.error} onRetry={() => void attempts.refetch()} />
    ) : (
      <Skeleton className="h-20 w-full" />
    );
  }
  return (
    <AttemptList
      attempts={attempts.data.items}
      canResend={!webhook.disabled}
      pending={resend.isPending}
      now={attempts.dataUpdatedAt}
      onResend={(logId) => resend.mutate(logId, { onError: refused })}
    />
  );
}
