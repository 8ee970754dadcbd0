'use client';

import { useEffect } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { useTranslateMessage } from '@/components/i18n/reasons';
import { ApiCallError } from '@/lib/client/call';
import { useTask } from '@/lib/client/queries/task-queries';
import { assetsKey } from '@/lib/client/query-keys';
import type { UploadEntry } from '@/lib/client/uploads/upload-list';
import type { UploadQueue } from '@/lib/client/uploads/upload-queue';
import { UploadDockFrame } from './upload-dock-frame';
import { type UploadActions, UploadRow } from './upload-row';

const REFRESH_INTERVAL_MS = 1000;

interface UploadsDockProps {
  queue: UploadQueue;
  uploads: readonly UploadEntry[];
}

/** List of the uploads of this tab, in the corner of every page. */
export default function UploadsDock({ queue, uploads }: UploadsDockProps) {
  const actions: UploadActions = {
    onPause: (id) => queue.pause(id),
    onResume: (id) => queue.resume(id),
    onCancel: (id) => queue.cancel(id),
    onDismiss: (id) => queue.dismiss(id),
    onFile: (id, file) => queue.attachFile(id, file),
  };
  return (
    <UploadDockFrame uploads={uploads} onClose={() => queue.dismiss()}>
      {uploads.map((upload) =>
        upload.phase === 'processing' && upload.target ? (
          <ProcessingRow
            key={upload.id}
            upload={upload}
            taskId={upload.target.taskId}
            queue={queue}
            {...actions}
          />
        ) : (
          <UploadRow key={upload.id} upload={upload} processingProgress={null} {...actions} />
        ),
      )}
    </UploadDockFrame>
  );
}

/** Row of an upload whose bytes have all been received. Its progress and result come from its task. */
function ProcessingRow(props: { upload: UploadEntry; taskId: string; queue: UploadQueue } & UploadActions) {
  const t = useTranslations('upload.uploadsProvider');
  const { upload, taskId, queue, ...actions } = props;
  const translateMessage = useTranslateMessage();
  const client = useQueryClient();
  const task = useTask(taskId, REFRESH_INTERVAL_MS);
  const status = task.data?.status;
  const isDeleted = task.error instanceof ApiCallError && task.error.status === 404;
  useEffect(() => {
    if (isDeleted) queue.settle(upload.id, 'rejected', t('theAssetWasDeleted'));
    else if (status?.phase === 'completed') queue.settle(upload.id, 'completed');
    else if (status?.phase === 'failed' || status?.phase === 'cancelled') {
      queue.settle(
        upload.id,
        'rejected',
        status.errorMessage === undefined
          ? t(`task.${status.phase}`)
          : {
              message: status.errorMessage,
              text: translateMessage(status.errorMessage, status.errorReason),
            },
      );
    } else return;
    void client.invalidateQueries({ queryKey: assetsKey });
  }, [client, isDeleted, queue, translateMessage, status, t, upload.id]);
  return <UploadRow upload={upload} processingProgress={status?.progress ?? null} {...actions} />;
}
