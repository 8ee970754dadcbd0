'use client';

import { useState } from 'react';
import { usePathname, useSearchParams } from 'next/navigation';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { IfPermitted, useHasRole } from '@/components/teams/use-team';
import { Button } from '@/components/ui/button';
import { LoadErrorMessage } from '@/components/ui/empty-state';
import { FilterChips } from '@/components/ui/form/chips';
import { Panel } from '@/components/ui/panel';
import { Skeleton } from '@/components/ui/skeleton';
import { ListPager } from '@/components/ui/table/list-controls';
import { useAttempts, useDeliveries, useResend, useResendFailed } from '@/lib/client/queries/webhook-queries';
import type { Webhook, WebhookDelivery } from '@/lib/contract/webhooks/webhook';
import { AttemptList, DeliveryList } from './delivery-list';
import { ReplayButton } from './replay-range';
import { SendTest } from './send-test';

/** Values of the filter by state; 'all' disables it. */
const stateFilters = ['all', 'ok', 'pending', 'failed', 'skipped'] as const;

/** Function that shows a toast with the reason why nothing was sent. */
function useShowRejection() {
  const t = useTranslations('webhooks.deliveriesPanel');
  return (error: Error) => toast.error(t('notSent'), { description: error.message });
}

/** Deliveries of a webhook with their attempts, and buttons that send events. */
export function DeliveriesPanel({ webhook }: { webhook: Webhook }) {
  const t = useTranslations('webhooks.deliveriesPanel');
  const [state, setState] = useState('all');
  const [cursor, setCursor] = useState<string | null>(null);
  const [onlyDeliveryId, showAll] = useOnlyDelivery();
  const conditions = [
    ...(state === 'all' ? [] : [{ id: 'state', value: state }]),
    ...(onlyDeliveryId === null ? [] : [{ id: 'id', value: onlyDeliveryId }]),
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
    <Panel
      title={t('deliveries')}
      action={
        <IfPermitted>
          <Actions webhook={webhook} />
        </IfPermitted>
      }
    >
      <div className="grid gap-4">
        {onlyDeliveryId === null ? (
          <FilterChips
            label={t('filterByState')}
            value={state}
            options={stateFilters.map((value) => ({ value, label: t(`filter.${value}`) }))}
            onChange={(newState) => {
              setState(newState);
              setCursor(null);
            }}
          />
        ) : (
          <p className="text-ink-2 flex min-h-8 flex-wrap items-center gap-x-4 gap-y-2">
            {t('showingOneDelivery')}
            <Button size="sm" onClick={showAll}>
              {t('showAllDeliveries')}
            </Button>
          </p>
        )}
        {deliveries.isError && !deliveries.data ? (
          <LoadErrorMessage
            subject={t('theDeliveries')}
            error={deliveries.error}
            onRetry={() => void deliveries.refetch()}
          />
        ) : !deliveries.data ? (
          <div aria-busy="true">
            <Skeleton className="h-40 w-full" />
          </div>
        ) : items.length === 0 ? (
          <p className="text-ink-2 rounded-md border border-dashed px-4 py-8 text-center">
            {onlyDeliveryId !== null
              ? t('deliveryNotFound')
              : state !== 'all'
                ? t('noDeliveriesInState')
                : t('noDeliveriesYet')}
          </p>
        ) : (
          <DeliveryList
            key={onlyDeliveryId}
            deliveries={items}
            initialDeliveryId={onlyDeliveryId}
            now={deliveries.dataUpdatedAt}
            renderAttempts={(delivery) => <Attempts webhook={webhook} delivery={delivery} />}
          />
        )}
        {deliveries.data && items.length > 0 && (
          <ListPager
            formatCount={(count) => t('rowCount', { count })}
            page={deliveries.data}
            state={{ cursor }}
            onChange={({ cursor: next = null }) => setCursor(next)}
          />
        )}
      </div>
    </Panel>
  );
}

/** Id of the only delivery to show, from the URL (`?delivery=`), and a function that shows all deliveries. */
function useOnlyDelivery(): [onlyDeliveryId: string | null, showAll: () => void] {
  const path = usePathname();
  const params = useSearchParams();
  const showAll = () => {
    const newParams = new URLSearchParams(params);
    newParams.delete('delivery');
    window.history.pushState(null, '', newParams.size > 0 ? `${path}?${newParams.toString()}` : path);
  };
  return [params.get('delivery'), showAll];
}

function Actions({ webhook }: { webhook: Webhook }) {
  const t = useTranslations('webhooks.deliveriesPanel');
  const onRejected = useShowRejection();
  const resendFailed = useResendFailed(webhook.id);
  const onResent = ({ resent }: { resent: number }) =>
    toast.success(resent === 0 ? t('nothingToResend') : t('resent', { count: resent }));
  return (
    <div className="flex flex-wrap gap-2">
      <ReplayButton webhook={webhook} onSent={onResent} />
      <Button
        size="sm"
        disabled={webhook.disabled}
        pending={resendFailed.isPending}
        onClick={() => resendFailed.mutate(undefined, { onSuccess: onResent, onError: onRejected })}
      >
        {t('resendFailed')}
      </Button>
      <SendTest webhook={webhook} />
    </div>
  );
}

/** Attempts of a delivery, which are loaded when they are shown. */
function Attempts({ webhook, delivery }: { webhook: Webhook; delivery: WebhookDelivery }) {
  const t = useTranslations('webhooks.deliveriesPanel');
  const onRejected = useShowRejection();
  const attempts = useAttempts(webhook.id, delivery.id);
  const resend = useResend(webhook.id);
  const mayChange = useHasRole('developer');
  if (!attempts.data) {
    return attempts.isError ? (
      <LoadErrorMessage
        subject={t('theAttempts')}
        error={attempts.error}
        onRetry={() => void attempts.refetch()}
      />
    ) : (
      <Skeleton className="h-20 w-full" />
    );
  }
  return (
    <AttemptList
      attempts={attempts.data.items}
      canResend={mayChange && !webhook.disabled}
      pending={resend.isPending}
      now={attempts.dataUpdatedAt}
      onResend={(logId) => resend.mutate(logId, { onError: onRejected })}
    />
  );
}
