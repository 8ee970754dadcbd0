'use client';

import dynamic from 'next/dynamic';
import { type ReactNode, createContext, useContext, useEffect, useState, useSyncExternalStore } from 'react';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import type { Translator } from '@/components/i18n/messages';
import { IfPermitted } from '@/components/teams/use-team';
import { assetsKey } from '@/lib/client/query-keys';
import type { UploadEntry } from '@/lib/client/uploads/upload-list';
import { UploadQueue } from '@/lib/client/uploads/upload-queue';
import { UploadRecords, browserClaims } from '@/lib/client/uploads/upload-records';
import { cancelUpload, requestUploadTarget, startTransfer } from '@/lib/client/uploads/upload-transfer';
import type { AcceptedMedia } from '@/lib/core/media/media-rules';
import { useServerFeatures } from '@/components/shell/server-features';
import { PageDropZone } from './page-drop-zone';
import { formatRejections } from './upload-text';

/** Loaded with the first upload. */
const UploadsDock = dynamic(() => import('./uploads-dock'), { ssr: false });

const UploadQueueContext = createContext<UploadQueue | null>(null);
const noUploads: readonly UploadEntry[] = [];

/** Upload queue that stores its uploads in this browser, for the account. */
function createUploadQueue(account: string, client: QueryClient, accept: AcceptedMedia): UploadQueue {
  const refetchAssets = () => void client.invalidateQueries({ queryKey: assetsKey });
  return new UploadQueue({
    records: new UploadRecords(() => window.localStorage, account),
    claims: browserClaims(typeof navigator === 'undefined' ? undefined : navigator.locks),
    startTransfer,
    accept,
    requestTarget: async (upload) => {
      const target = await requestUploadTarget(upload);
      refetchAssets();
      return target;
    },
    discard: (target, upload) => cancelUpload(target, upload).finally(refetchAssets),
    // 96 random bits in hexadecimal digits. `crypto.randomUUID` does not exist without HTTPS.
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

/** Provides the uploads of this tab, which continue when another page is opened. */
export function UploadsProvider({ account, children }: UploadsProviderProps) {
  const { acceptMedia: accept } = useServerFeatures();
  const t = useTranslations('upload.uploadText');
  const client = useQueryClient();
  const [queue] = useState(() => createUploadQueue(account, client, accept));
  const uploads = useEntries(queue);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    void queue.restore();
    window.addEventListener('storage', (event) => void queue.onStorageChange(event.key), { signal });
    window.addEventListener('online', () => queue.resumeInterrupted(), { signal });
    return () => {
      controller.abort();
      queue.close();
    };
  }, [queue]);
  return (
    <UploadQueueContext value={queue}>
      {children}
      <IfPermitted>
        <PageDropZone onFiles={(files) => addUploads(t, queue, files)} />
      </IfPermitted>
      {uploads.length > 0 && <UploadsDock queue={queue} uploads={uploads} />}
    </UploadQueueContext>
  );
}

function useEntries(queue: UploadQueue): readonly UploadEntry[] {
  return useSyncExternalStore(queue.subscribe, queue.entries, () => noUploads);
}

/** Function that adds chosen files to the queue. */
export function useAddUploads(): (files: readonly File[]) => void {
  const t = useTranslations('upload.uploadText');
  const queue = useContext(UploadQueueContext);
  return (files) => {
    if (queue) addUploads(t, queue, files);
  };
}

/** Function that uploads a file to replace the file of an asset. */
export function useReplaceFile(): (assetId: string, file: File) => void {
  const t = useTranslations('upload.uploadText');
  const queue = useContext(UploadQueueContext);
  return (assetId, file) => {
    if (queue) showRejections(t, queue.replace(assetId, file));
  };
}

function addUploads(t: Translator<'upload.uploadText'>, queue: UploadQueue, files: readonly File[]) {
  showRejections(t, queue.add(files));
}

function showRejections(t: Translator<'upload.uploadText'>, rejections: ReturnType<UploadQueue['add']>) {
  if (rejections.length > 0) toast.error(formatRejections(t, rejections));
}
