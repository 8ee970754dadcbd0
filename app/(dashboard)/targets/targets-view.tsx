'use client';

import { useState } from 'react';
import { toast } from 'sonner';
import { TargetTable } from '@/components/targets/target-table';
import { EmptyState, LoadFailed } from '@/components/ui/empty-state';
import { PageHeader } from '@/components/ui/page-header';
import {
  useStreamsWithTargets,
  useTargets,
  useTestTarget,
  useUpdateTarget,
} from '@/lib/client/queries/target-queries';
import type { MultistreamTarget } from '@/lib/contract/targets/multistream';
import { useAddresses } from '@/lib/client/queries/addresses';
import { CreateTarget } from '@/components/targets/create-target';
import { DeleteTarget } from '@/components/targets/delete-target';
import { TestTarget } from '@/components/targets/test-target';
import { EditTarget } from '@/components/targets/edit-target';

export function TargetsView() {
  const targets = useTargets();
  const streams = useStreamsWithTargets();
  const addresses = useAddresses();
  const update = useUpdateTarget();
  const [tested, setTested] = useState<MultistreamTarget | null>(null);
  const [edited, setEdited] = useState<MultistreamTarget | null>(null);
  const [doomed, setDoomed] = useState<MultistreamTarget | null>(null);
  const test = useTestTarget();
  const startTest = (target: MultistreamTarget) => {
    setTested(target);
    test.mutate({ id: target.id });
  };
  const usedBy = (targetId: string) =>
    streams.data?.items.filter(({ multistream }) => multistream.targets.some(({ id }) => id === targetId));
  const switchOver = ({ id, name, disabled }: MultistreamTarget) =>
    update.mutate(
      { id, change: { disabled: !disabled } },
      {
        onSuccess: () => toast.success(disabled ? `Enabled “${name}”` : `Disabled “${name}”`),
        onError: (error) => toast.error('Couldn’t save the change', { description: error.message }),
      },
    );
  return (
    <>
      <PageHeader
        title="Targets"
        description="Services your live streams are pushed to."
        action={<CreateTarget />}
      />
      {targets.isError && !targets.data ? (
        <LoadFailed what="The targets" error={targets.error} onRetry={() => void targets.refetch()} />
      ) : targets.data?.items.length === 0 ? (
        <EmptyState
          title="No targets yet"
          {...(addresses ? { command: { label: 'Or use the API:', code: curl(addresses.base) } } : {})}
        >
          Create one with the stream key of YouTube, Twitch, Facebook or any RTMP or SRT service, then add it
          to a stream.
        </EmptyState>
      ) : (
        <TargetTable
          targets={targets.data?.items}
          usedBy={usedBy}
          onTest={startTest}
          onEdit={setEdited}
          onSwitch={switchOver}
          onDelete={setDoomed}
        />
      )}
      <TestTarget target={tested} test={test} onClose={() => setTested(null)} />
      <EditTarget target={edited} onClose={() => setEdited(null)} />
      <DeleteTarget target={doomed} onClose={() => setDoomed(null)} />
    </>
  );
}

const curl = (base: string) =>
  [
    `curl ${base}/api/multistream/target \\`,
    '  -H "Authorization: Bearer $HEADWATER_API_KEY" \\',
    '  -H "Content-Type: application/json" \\',
    `  -d '{"url": "rtmp://live.example.com/app/key"}'`,
  ].join('\n');
