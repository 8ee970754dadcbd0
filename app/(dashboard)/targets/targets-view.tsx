'use client';

import { Share2 } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { TargetTable } from '@/components/targets/target-table';
import { EmptyState, LoadErrorMessage } from '@/components/ui/empty-state';
import { PageHeader } from '@/components/ui/page-header';
import {
  useStreamsWithTargets,
  useTargets,
  useTestTarget,
  useUpdateTarget,
} from '@/lib/client/queries/target-queries';
import type { MultistreamTarget } from '@/lib/contract/targets/multistream';
import { usePublicUrls } from '@/lib/client/queries/public-urls';
import { CreateTargetDialog } from '@/components/targets/create-target';
import { DeleteTargetDialog } from '@/components/targets/delete-target';
import { TestTargetDialog } from '@/components/targets/test-target';
import { EditTargetDialog } from '@/components/targets/edit-target';

export function TargetsView() {
  const t = useTranslations('targets.targetsView');
  const targets = useTargets();
  const streams = useStreamsWithTargets();
  const urls = usePublicUrls();
  const updateTarget = useUpdateTarget();
  const [targetToTest, setTargetToTest] = useState<MultistreamTarget | null>(null);
  const [targetToEdit, setTargetToEdit] = useState<MultistreamTarget | null>(null);
  const [targetToDelete, setTargetToDelete] = useState<MultistreamTarget | null>(null);
  const testTarget = useTestTarget();
  const startTest = (target: MultistreamTarget) => {
    setTargetToTest(target);
    testTarget.mutate({ id: target.id });
  };
  const streamsUsing = (targetId: string) =>
    streams.data?.items.filter(({ multistream }) => multistream.targets.some(({ id }) => id === targetId));
  const toggleTarget = ({ id, name, disabled }: MultistreamTarget) =>
    updateTarget.mutate(
      { id, change: { disabled: !disabled } },
      {
        onSuccess: () => toast.success(t(disabled ? 'enabled' : 'disabled', { name })),
        onError: (error) => toast.error(t('notSaved'), { description: error.message }),
      },
    );
  return (
    <>
      <PageHeader title={t('title')} description={t('description')} action={<CreateTargetDialog />} />
      {targets.isError && !targets.data ? (
        <LoadErrorMessage
          subject={t('theTargets')}
          error={targets.error}
          onRetry={() => void targets.refetch()}
        />
      ) : targets.data?.items.length === 0 ? (
        <EmptyState
          title={t('noTargetsYet')}
          icon={Share2}
          {...(urls ? { command: { label: t('orUseTheApi'), code: createTargetCurl(urls.baseUrl) } } : {})}
        >
          {t('createOne')}
        </EmptyState>
      ) : (
        <TargetTable
          targets={targets.data?.items}
          usedBy={streamsUsing}
          onTest={startTest}
          onEdit={setTargetToEdit}
          onToggle={toggleTarget}
          onDelete={setTargetToDelete}
        />
      )}
      <TestTargetDialog target={targetToTest} test={testTarget} onClose={() => setTargetToTest(null)} />
      <EditTargetDialog target={targetToEdit} onClose={() => setTargetToEdit(null)} />
      <DeleteTargetDialog target={targetToDelete} onClose={() => setTargetToDelete(null)} />
    </>
  );
}

const createTargetCurl = (baseUrl: string) =>
  [
    `curl ${baseUrl}/api/multistream/target \\`,
    '  -H "Authorization: Bearer $HEADWATER_API_KEY" \\',
    '  -H "Content-Type: application/json" \\',
    `  -d '{"url": "rtmp://live.example.com/app/key"}'`,
  ].join('\n');
