'use client';

import type { ReactNode } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import { LoadErrorMessage, emptyCell } from '@/components/ui/empty-state';
import { formatSize } from '@/components/ui/figures';
import { AdminNav } from './admin-nav';
import { PageHeader } from '@/components/ui/page-header';
import { Fact, FactList, Panel } from '@/components/ui/panel';
import { Skeleton } from '@/components/ui/skeleton';
import { DataTable, type DataColumn } from '@/components/ui/table/data-table';
import { useQueues, useServiceStorage, useSettings } from '@/lib/client/queries/admin-queries';
import type { Queue, Setting } from '@/lib/contract/accounts/admin';

// Read-only pages for operators.

/** Interval at which the queues are requested. */
const QUEUES_REFRESH_MS = 5_000;
/** Interval at which the used storage is requested. */
const STORAGE_REFRESH_MS = 30_000;

/** Job counts of each queue. */
export function QueuesView() {
  const t = useTranslations('admin.queues');
  const { data, isError, error, refetch } = useQueues(QUEUES_REFRESH_MS);
  const columns = useQueueColumns();
  return (
    <>
      <PageHeader nav={<AdminNav />} title={t('title')} description={t('description')} />
      {isError && !data ? (
        <LoadErrorMessage subject={t('theQueues')} error={error} onRetry={() => void refetch()} />
      ) : (
        <DataTable
          label={t('title')}
          columns={columns}
          rows={data?.map((queue) => ({ ...queue, id: queue.name }))}
          nameOf={({ name }) => name}
          placeholderRows={8}
        />
      )}
    </>
  );
}

function useQueueColumns(): readonly DataColumn<Queue & { readonly id: string }>[] {
  const t = useTranslations('admin.queues');
  const language = useLocale();
  const countColumn = (name: 'waiting' | 'active' | 'delayed' | 'failed' | 'completed') => ({
    head: t(`columns.${name}`),
    phone: true as const,
    width: 'w-28',
    skeleton: 'h-4 w-8',
    className: 'tabular-nums max-sm:has-data-none:hidden',
    cell: ({ [name]: count }: Queue): ReactNode => (
      // A phone hides zero counts.
      <span {...(count === 0 ? { 'data-none': '' } : {})}>
        <span className="max-sm:hidden">{count.toLocaleString(language)}</span>
        <span className="sm:hidden">{t(`phone.${name}`, { count: count.toLocaleString(language) })}</span>
      </span>
    ),
  });
  return [
    {
      head: t('columns.queue'),
      skeleton: 'h-4 w-32',
      cell: ({ name }) => (
        <span className="grid gap-0.5 py-1">
          <span className="font-medium">{t(`names.${name}`)}</span>
          <span className="text-ink-2 font-mono text-sm">{name}</span>
        </span>
      ),
    },
    countColumn('waiting'),
    countColumn('active'),
    countColumn('delayed'),
    countColumn('failed'),
    countColumn('completed'),
    {
      head: t('columns.oldest'),
      width: 'w-28',
      skeleton: 'h-4 w-12',
      className: 'tabular-nums',
      cell: ({ oldestMs }) =>
        oldestMs === 0
          ? emptyCell
          : t('seconds', { count: (oldestMs / 1000).toLocaleString(language, { maximumFractionDigits: 1 }) }),
    },
  ];
}

/** Stored bytes of all teams, and the free space. */
export function StorageView() {
  const t = useTranslations('admin.storage');
  const language = useLocale();
  const { data, isError, error, refetch } = useServiceStorage(STORAGE_REFRESH_MS);
  const sizeOrSkeleton = (bytes: number | undefined) =>
    bytes === undefined ? <Skeleton className="h-4 w-16" /> : formatSize(bytes, language);
  return (
    <>
      <PageHeader nav={<AdminNav />} title={t('title')} description={t('description')} />
      {isError && !data ? (
        <LoadErrorMessage subject={t('theStorage')} error={error} onRetry={() => void refetch()} />
      ) : (
        <div className="grid items-start gap-6 lg:grid-cols-2">
          <Panel
            title={t('stored')}
            description={
              (data?.bucket ?? null) === null ? t('onDisk') : t('inBucket', { bucket: data?.bucket ?? '' })
            }
          >
            <FactList>
              <Fact name={t('assets')}>{sizeOrSkeleton(data?.assets)}</Fact>
              <Fact name={t('recordings')}>{sizeOrSkeleton(data?.recordings)}</Fact>
              <Fact name={t('dvr')}>{sizeOrSkeleton(data?.dvr)}</Fact>
              <Fact name={t('deleted')}>{sizeOrSkeleton(data?.deleted)}</Fact>
              <Fact name={t('total')}>
                <b className="font-semibold">{sizeOrSkeleton(data?.bytes)}</b>
              </Fact>
              <Fact name={t('database')}>{sizeOrSkeleton(data?.databaseBytes)}</Fact>
            </FactList>
          </Panel>
          <Panel title={t('free')} description={t('freeText')}>
            <FactList>
              {data?.disks.map(({ machineId, region, freeBytes }, index) => (
                <Fact
                  key={machineId ?? index}
                  name={`${t('machine', { number: String(index + 1) })}${region === null ? '' : ` · ${region}`}`}
                >
                  {sizeOrSkeleton(freeBytes)}
                </Fact>
              ))}
            </FactList>
            {data?.disks.length === 0 && <p className="text-ink-2">{t('noDisks')}</p>}
          </Panel>
        </div>
      )}
    </>
  );
}

/** Settings of the node that responds. */
export function SettingsView() {
  const t = useTranslations('admin.settings');
  const { data, isError, error, refetch } = useSettings();
  const columns: readonly DataColumn<Setting & { readonly id: string }>[] = [
    {
      head: t('columns.name'),
      width: 'w-72',
      skeleton: 'h-4 w-40',
      cell: ({ name }) => <span className="font-mono text-sm wrap-anywhere">{name}</span>,
    },
    {
      head: t('columns.value'),
      phone: true,
      skeleton: 'h-4 w-48',
      className: 'max-sm:basis-full',
      cell: ({ value }) =>
        value === null ? (
          <span className="text-ink-3">{t('notSet')}</span>
        ) : (
          <span className="font-mono text-sm wrap-anywhere">{value}</span>
        ),
    },
    {
      head: t('columns.source'),
      width: 'w-32',
      skeleton: 'h-4 w-16',
      cell: ({ isDefault }) => (isDefault ? <span className="text-ink-3">{t('default')}</span> : t('set')),
    },
  ];
  return (
    <>
      <PageHeader nav={<AdminNav />} title={t('title')} description={t('description')} />
      {isError && !data ? (
        <LoadErrorMessage subject={t('theSettings')} error={error} onRetry={() => void refetch()} />
      ) : (
        <DataTable
          label={t('title')}
          columns={columns}
          rows={data?.map((setting) => ({ ...setting, id: setting.name }))}
          nameOf={({ name }) => name}
          placeholderRows={12}
        />
      )}
    </>
  );
}
