'use client';

import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useState, useSyncExternalStore, type ReactNode } from 'react';
import { toast } from 'sonner';
import { DropAnywhere } from '@/components/upload/drop-anywhere';
import { refusedWords } from '@/components/upload/upload-words';
import { assetsKey } from '@/lib/client/query-keys';
import { discardUpload, requestUploadTarget } from '@/lib/client/upload-calls';
import { browserClaims } from '@/lib/client/upload-claims';
import type { UploadEntry } from '@/lib/client/upload-entry';
import { UploadQueue } from '@/lib/client/upload-queue';
import { UploadRecords } from '@/lib/client/upload-records';
import { startTransfer } from '@/lib/client/upload-transfer';
import { UploadsDock } from './uploads-dock';

const Uploads = createContext<UploadQueue | null>(null);
const none: readonly UploadEntry[] = [];

function makeQueue(account: string, client: QueryClient): UploadQueue {
  const changed = () => void client.invalidateQueries({ queryKey: assetsKey });
  return new UploadQueue({
    records: new UploadRecords(() => window.localStorage, account),
    claims: browserClaims(typeof navigator === 'undefined' ? undefined : navigator.locks),
    startTransfer,
    ask: async (title) => {
      const target = await requestUploadTarget(title);
      changed();
      return target;
    },
    discard: (assetId) => discardUpload(assetId).finally(changed),
    newId: () =>
      [...crypto.getRandomValues(new Uint8Array(12))]
        .map((byte) => byte.toString(16).padStart(2, '0'))
        .join(''),
    now: () => Date.now(),
  });
}

/** The uploads of this tab: they continue across pages. @param props.account the account that owns them */
export function UploadsProvider({ account, children }: { account: string; children: ReactNode }) {
  const client = useQueryClient();
  const [queue] = useState(() => makeQueue(account, client));
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    void queue.restore();
    window.addEventListener('storage', (event) => void queue.heard(event.key), { signal });
    window.addEventListener('online', () => queue.resumeBroken(), { signal });
    return () => {
      ending.abort();
      queue.close();
    };
  }, [queue]);
  return (
    <Uploads value={queue}>
      {children}
      <DropAnywhere onFiles={(files) => takeIn(queue, files)} />
      <UploadsDock queue={queue} uploads={useEntries(queue)} />
    </Uploads>
  );
}

function useEntries(queue: UploadQueue): readonly UploadEntry[] {
  return useSyncExternalStore(queue.subscribe, queue.entries, () => none);
}

/** What a page does with files that were chosen on it. */
export function useTakeIn(): (files: readonly File[]) => void {
  const queue = useContext(Uploads);
  return (files) => {
    if (queue) takeIn(queue, files);
  };
}

function takeIn(queue: UploadQueue, files: readonly File[]) {
  const refused = queue.add(files);
  if (refused.length > 0) toast.error(refusedWords(refused));
}
