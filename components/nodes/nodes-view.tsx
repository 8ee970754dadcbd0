'use client';

import { useTranslations } from 'use-intl';
import { NodeTable } from '@/components/nodes/node-table';
import { EmptyState, LoadErrorMessage } from '@/components/ui/empty-state';
import { AdminNav } from '@/components/admin/admin-nav';
import { PageHeader } from '@/components/ui/page-header';
import { useNodes } from '@/lib/client/queries/node-queries';

const REFRESH_INTERVAL_MS = 5_000;

export function NodesView() {
  const t = useTranslations('nodes');
  const { data: nodes, isError, error, refetch } = useNodes(REFRESH_INTERVAL_MS);
  return (
    <>
      <PageHeader nav={<AdminNav />} title={t('title')} description={t('description')} />
      {isError && !nodes ? (
        <LoadErrorMessage subject={t('theNodes')} error={error} onRetry={() => void refetch()} />
      ) : nodes?.length === 0 ? (
        <EmptyState title={t('empty.title')}>{t('empty.text')}</EmptyState>
      ) : (
        <NodeTable nodes={nodes} />
      )}
    </>
  );
}
