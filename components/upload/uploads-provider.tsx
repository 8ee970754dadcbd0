'use client';

import { type ReactNode, createContext, useContext, useEffect, useState, useSyncExternalStore } from 'react';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import type { Translator } from '@/components/i18n/messages';
import { ApiError } from '@/lib/client/call';
import { ForRole } from '@/components/teams/use-team';
import { useTask } from '@/lib/client/queries/task-queries';
import { assetsKey } from '@/lib/client/query-keys';
import type { UploadEntry } from '@/lib/client/uploads/upload-list';
import { UploadQueue } from '@/lib/client/uploads/upload-queue';
import { UploadRecords, browserClaims } from '@/lib/client/uploads/upload-records';
import { cancelUpload, requestUploadTarget, startTransfer } from '@/lib/client/uploads/upload-transfer';
import type { AcceptedMedia } from '@/lib/core/media/media-rules';
import { useServerFeatures } from '@/components/shell/server-features';
import { DropAnywhere } from './drop-anywhere';
import { UploadDock } from './upload-dock';
import { type UploadActions, UploadRow } from './upload-row';
import { refusedText } from './upload-text';
import { useSay } from '@/components/i18n/reasons';

const REFRESH_MS = 1000;

interface UploadsDockProps {
  queue: UploadQueue;
  uploads: readonly UploadEntry[];
}

function UploadsDock({ queue, uploads }: UploadsDockProps) {
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

/** All bytes have been received: progress and result now come from the task. */
function FollowedRow(props: { upload: UploadEntry; taskId: string; queue: UploadQueue } & UploadActions) {
  const t = useTranslations('upload.uploadsProvider');
  const { upload, taskId, queue, ...actions } = props;
  const say = useSay();
  const client = useQueryClient();
  const task = useTask(taskId, REFRESH_MS);
  const status = task.data?.status;
  const isDeleted = task.error instanceof ApiError && task.error.status === 404;
  useEffect(() => {
    if (isDeleted) queue.settle(upload.id, 'refused', t('theAssetWasDeleted'));
    else if (status?.phase === 'completed') queue.settle(upload.id, 'completed');
    else if (status?.phase === 'failed' || status?.phase === 'cancelled') {
      queue.settle(
        upload.id,
        'refused',
        status.errorMessage === undefined
          ? t(`task.${status.phase}`)
          : { sentence: status.errorMessage, text: say(status.errorMessage, status.errorReason) },
      );
    } else return;
    void client.invalidateQueries({ queryKey: assetsKey });
  }, [client, isDeleted, queue, say, status, t, upload.id]);
  return <UploadRow upload={upload} work={status?.progress ?? null} {...actions} />;
}

const Uploads = createContext<UploadQueue | null>(null);
const noUploads: readonly UploadEntry[] = [];

function makeQueue(account: string, client: QueryClient, accept: AcceptedMedia): UploadQueue {
  const refetchAssets = () => void client.invalidateQueries({ queryKey: assetsKey });
  return new UploadQueue({
    records: new UploadRecords(() => window.localStorage, account),
    claims: browserClaims(typeof navigator === 'undefined' ? undefined : navigator.locks),
    startTransfer,
    accept,
    ask: async (upload) => {
      const target = await requestUploadTarget(upload);
      refetchAssets();
      return target;
    },
    discard: (target, upload) => cancelUpload(target, upload).finally(refetchAssets),
    newId: () =>
      [...crypto.getRandomValues(new Uint8Array(12))]
        .map((byte) => byte.toString(16).padStart(2, '0'))
        .join(''),
    now: () => Date.now(),
  });
}

interface UploadsProviderProps {
  /** The account that owns the uploads. */
  account: string;
  children: ReactNode;
}

/** The uploads of this tab: they continue across pages. */
export function UploadsProvider({ account, children }: UploadsProviderProps) {
  const { acceptMedia: accept } = useServerFeatures();
  const t = useTranslations('upload.uploadText');
  const client = useQueryClient();
  const [queue] = useState(() => makeQueue(account, client, accept));
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    void queue.restore();
    window.addEventListener('storage', (event) => void queue.onStorageChange(event.key), { signal });
    window.addEventListener('online', () => queue.resumeBroken(), { signal });
    return () => {
      ending.abort();
      queue.close();
    };
  }, [queue]);
  return (
    <Uploads value={queue}>
      {children}
      <ForRole>
        <DropAnywhere onFiles={(files) => addUploads(t, queue, files)} />
      </ForRole>
      <UploadsDock queue={queue} uploads={useEntries(queue)} />
    </Uploads>
  );
}

function useEntries(queue: UploadQueue): readonly UploadEntry[] {
  return useSyncExternalStore(queue.subscribe, queue.entries, () => noUploads);
}

/** Adds chosen files to the queue. */
export function useAddUploads(): (files: readonly File[]) => void {
  const t = useTranslations('upload.uploadText');
  const queue = useContext(Uploads);
  return (files) => {
    if (queue) addUploads(t, queue, files);
  };
}

/** Uploads a file that replaces the file of an asset. */
export function useReplaceFile(): (assetId: string, file: File) => void {
  const t = useTranslations('upload.uploadText');
  const queue = useContext(Uploads);
  return (assetId, file) => {
    if (queue) notifyRefused(t, queue.replace(assetId, file));
  };
}

function addUploads(t: Translator<'upload.uploadText'>, queue: UploadQueue, files: readonly File[]) {
  notifyRefused(t, queue.add(files));
}

function notifyRefused(t: Translator<'upload.uploadText'>, refusals: ReturnType<UploadQueue['add']>) {
  if (refusals.length > 0) toast.error(refusedText(t, refusals));
}
