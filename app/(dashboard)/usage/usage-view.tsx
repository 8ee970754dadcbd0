'use client';

import { Download } from 'lucide-react';
import dynamic from 'next/dynamic';
import { usePathname, useSearchParams } from 'next/navigation';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { QuotaPanel } from '@/components/usage/quota-panel';
import {
  parseDays,
  totalOf,
  usageCsv,
  usageKinds,
  usageQuery,
  usageSpans,
} from '@/components/usage/usage-figures';
import { DayTable, StreamUsageTable } from '@/components/usage/usage-tables';
import { UsageTotals } from '@/components/usage/usage-totals';
import { Button } from '@/components/ui/button';
import { FilterChips } from '@/components/ui/form/chips';
import { LoadErrorMessage } from '@/components/ui/empty-state';
import { SiblingNav } from '@/components/shell/sibling-nav';
import { PageHeader } from '@/components/ui/page-header';
import { Panel } from '@/components/ui/panel';
import { Skeleton } from '@/components/ui/skeleton';
import { Tabs } from '@/components/ui/tabs';
import { useQuotas, useUsage } from '@/lib/client/queries/account-queries';
import type { Usage } from '@/lib/contract/accounts/usage';

const CHART_HEIGHT = 'h-[260px]';

/** The code of the charts loads after the page opens, into reserved space. */
const ReceivedMinutesChart = dynamic(
  async () => (await import('@/components/usage/usage-chart')).ReceivedMinutesChart,
  {
    ssr: false,
    loading: () => <div className={CHART_HEIGHT} />,
  },
);
const DeliveryChart = dynamic(async () => (await import('@/components/usage/usage-chart')).DeliveryChart, {
  ssr: false,
  loading: () => <div className={CHART_HEIGHT} />,
});

export function UsageView() {
  const t = useTranslations('usage.usageView');
  const path = usePathname();
  const days = parseDays(useSearchParams().get('days'));
  const [now] = useState(() => Date.now());
  const query = usageQuery(days, now);
  const usage = useUsage(query);
  const setDays = (value: string) =>
    window.history.replaceState(null, '', value === '30' ? path : `${path}?days=${value}`);
  return (
    <>
      <PageHeader
        nav={<SiblingNav />}
        title={t('usage')}
        description={t('description')}
        action={
          <Button
            disabled={!usage.data}
            onClick={() =>
              usage.data && saveFile(`usage-${query.from}-${query.to}.csv`, usageCsv(usage.data.days))
            }
          >
            <Download aria-hidden="true" />
            {t('downloadCsv')}
          </Button>
        }
      />
      <div className="mb-4">
        <FilterChips
          label={t('time')}
          value={String(days)}
          options={usageSpans.map((value) => ({ value, label: t(`span.${value}`) }))}
          onChange={setDays}
        />
      </div>
      {usage.isError && !usage.data ? (
        <LoadErrorMessage subject={t('theUsage')} error={usage.error} onRetry={() => void usage.refetch()} />
      ) : usage.data ? (
        <Figures usage={usage.data} />
      ) : (
        <UsageSkeleton />
      )}
    </>
  );
}

function Figures({ usage }: { usage: Usage }) {
  const quotas = useQuotas();
  const t = useTranslations('usage.usageView');
  return (
    <div className="grid gap-6">
      <UsageTotals usage={usage} />
      {quotas.data && <QuotaPanel quotas={quotas.data} />}
      <Panel title={t('dayByDay')} description={t('videoMinutesAndDeliveredData')}>
        <Tabs
          label={t('showAs')}
          tabs={[
            { value: 'received', label: t('received'), content: <ReceivedMinutes days={usage.days} /> },
            { value: 'delivery', label: t('delivered'), content: <Delivery days={usage.days} /> },
            { value: 'table', label: t('table'), content: <DayTable days={usage.days} /> },
          ]}
        />
      </Panel>
      <Panel title={t('byStream')} description={t('minutesInThisPeriod')}>
        {usage.streams.length > 0 ? (
          <StreamUsageTable streams={usage.streams} />
        ) : (
          <p className="text-ink-2">{t('noUsageInPeriod')}</p>
        )}
      </Panel>
    </div>
  );
}

function ReceivedMinutes({ days }: Pick<Usage, 'days'>) {
  const t = useTranslations('usage.usageView');
  const isEmpty = usageKinds.every((kind) => totalOf(days, kind) === 0);
  return isEmpty ? (
    <p className="text-ink-2">{t('nothingReceived')}</p>
  ) : (
    <ReceivedMinutesChart days={days} />
  );
}

function Delivery({ days }: Pick<Usage, 'days'>) {
  const t = useTranslations('usage.usageView');
  if (totalOf(days, 'deliveredBytes') === 0) return <p className="text-ink-2">{t('nothingDelivered')}</p>;
  return (
    <>
      <p aria-hidden="true" className="text-ink-3 mb-1 flex justify-between text-xs">
        <span className="flex items-center gap-1.5">
          <span className="bg-accent size-2.5 rounded-sm" />
          {t('minutes')}
        </span>
        <span className="flex items-center gap-1.5">
          <span className="border-ink-2 w-4 border-t-2 border-dashed" />
          {t('bytes')}
        </span>
      </p>
      <DeliveryChart days={days} />
    </>
  );
}

function UsageSkeleton() {
  const t = useTranslations('usage.usageView');
  return (
    <div aria-busy="true" aria-label={t('loading')} className="grid gap-6">
      <Skeleton className="h-[5.25rem] w-full rounded-lg" />
      <Skeleton className="h-[24rem] w-full rounded-lg" />
      <Skeleton className="h-32 w-full rounded-lg" />
    </div>
  );
}

/** Saves a text as a file in the browser. */
function saveFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
