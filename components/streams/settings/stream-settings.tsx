'use client';

import { Trash2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { SwitchRow } from '@/components/ui/form/toggle';
import { Panel } from '@/components/ui/panel';
import {
  useSetStreamRecord,
  useTestPatternState,
  useUpdateStream,
} from '@/lib/client/queries/stream-queries';
import type { Stream } from '@/lib/contract/streams/stream';
import { ConfirmSuspendDialog } from './confirm-suspend';
import { DeleteStreamDialog } from './delete-stream';
import { DvrRow } from './dvr-row';
import { useSaveFailed } from './use-save-failed';

/** Recording, DVR, clips of viewers, suspension and deletion of a stream. */
export function StreamSettingsPanel({ stream }: { stream: Stream }) {
  const t = useTranslations('streams.streamSettings');
  const router = useRouter();
  const saveFailed = useSaveFailed();
  const update = useUpdateStream(stream.id);
  const setRecord = useSetStreamRecord(stream.id);
  const hasTestPattern = useTestPatternState(stream.id).data?.running ?? false;
  const [openDialog, setOpenDialog] = useState<'suspend' | 'delete' | null>(null);
  const setSuspended = (suspended: boolean) => update.mutate({ suspended }, { onError: saveFailed });
  return (
    <Panel title={t('settings')} className="max-w-3xl">
      <div className="grid gap-5">
        <SwitchRow
          label={t('record')}
          description={t('recordNewSessions')}
          checked={stream.record}
          onChange={(record) => setRecord.mutate(record, { onError: saveFailed })}
        />
        <DvrRow
          stream={stream}
          onChange={(dvrSeconds) => update.mutate({ dvrSeconds }, { onError: saveFailed })}
        />
        <SwitchRow
          label={t('viewerClips')}
          description={t('whatViewerClipsDo')}
          checked={stream.viewerClips ?? false}
          onChange={(viewerClips) => update.mutate({ viewerClips }, { onError: saveFailed })}
        />
        <SwitchRow
          label={t('suspend')}
          description={t('whatSuspendDoes')}
          checked={stream.suspended}
          onChange={(suspended) =>
            suspended && (stream.isActive || hasTestPattern)
              ? setOpenDialog('suspend')
              : setSuspended(suspended)
          }
        />
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t pt-5">
          <div className="min-w-0">
            <p className="font-medium">{t('delete')}</p>
            <p className="text-ink-2 text-sm">{t('whatIsDeleted')}</p>
          </div>
          <Button onClick={() => setOpenDialog('delete')} className="text-live-ink">
            <Trash2 aria-hidden="true" />
            {t('deleteStream')}
          </Button>
        </div>
      </div>
      <ConfirmSuspendDialog
        open={openDialog === 'suspend'}
        onOpenChange={(open) => setOpenDialog(open ? 'suspend' : null)}
        title={t('suspendTitle', { name: stream.name })}
        onConfirm={() => setSuspended(true)}
      />
      <DeleteStreamDialog
        stream={openDialog === 'delete' ? stream : null}
        onClose={() => setOpenDialog(null)}
        onDeleted={() => router.push('/streams')}
      />
    </Panel>
  );
}
