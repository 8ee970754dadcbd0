'use client';

import { useEffect } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { UploadDock } from '@/components/upload/upload-dock';
import { UploadRow, type UploadActions } from '@/components/upload/upload-row';
import { assetsKey } from '@/lib/client/query-keys';
import { ApiError } from '@/lib/client';
import { useTask } from '@/lib/client/task-queries';
import type { UploadEntry } from '@/lib/client/upload-entry';
import type { UploadQueue } from '@/lib/client/upload-queue';

const REFRESH_MS = 1000;

interface UploadsDockProps {
  queue: UploadQueue;
  uploads: readonly UploadEntry[];
}

export function UploadsDock({ queue, uploads }: UploadsDockProps) {
  if (uploads.length === 0) return null;
  const actions: UploadActions = {
    onPause: (id) => queue.pause(id),
    onResume: (id) => queue.resume(id),
    onCancel: (id) => queue.cancel(id),
    onDismiss: (id) => queue.dismiss(id),
    onFile: (id, file) => queue.giveFile(id, file),
  };
  return (
    <UploadDock uploads={uploads} onClear={() => queue.dismiss()}>
      {uploads.map((upload) =>
        upload.phase === 'processing' && upload.target ? (
          <FollowedRow
            key={upload.id}
            upload={upload}
            taskId={upload.target.taskId}
            queue={queue}
            {...actions}
          />
        ) : (
          <UploadRow key={upload.id} upload={upload} work={null} {...actions} />
        ),
      )}
    </UploadDock>
  );
}

/** Every byte has been received: from here on the task has the progress and the result. */
function FollowedRow(props: { upload: UploadEntry; taskId: string; queue: UploadQueue } & UploadActions) {
  const { upload, taskId, queue, ...actions } = props;
  const client = useQueryClient();
  const task = useTask(taskId, REFRESH_MS);
  const status = task.data?.status;
  const gone = task.error instanceof ApiError && task.error.status === 404;
  useEffect(() => {
    if (gone) queue.settle(upload.id, 'refused', 'The asset was deleted.');
    else if (status?.phase === 'completed') queue.settle(upload.id, 'completed');
    else if (status?.phase === 'failed' || status?.phase === 'cancelled') {
      queue.settle(upload.id, 'refused', status.errorMessage ?? `The task was ${status.phase}.`);
    } else return;
    void client.invalidateQueries({ queryKey: assetsKey });
  }, [client, gone, queue, status, upload.id]);
  return <UploadRow upload={upload} work={status?.progress ?? null} {...actions} />;
}
