import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call, readApiError } from '@/lib/client/call';
import { assetsKey, streamsKey } from '@/lib/client/query-keys';
import {
  deleteAssetPoster,
  deleteStreamPoster,
  requestAssetPosterUpload,
  requestStreamPosterUpload,
} from '@/lib/contract/assets/poster';

/** An object with a poster. */
export interface PosterOwner {
  readonly kind: 'stream' | 'asset';
  readonly id: string;
}

const keys = { stream: streamsKey, asset: assetsKey } as const;
const requests = { stream: requestStreamPosterUpload, asset: requestAssetPosterUpload } as const;
const deletions = { stream: deleteStreamPoster, asset: deleteAssetPoster } as const;

/** @param picture a file, or the URL of a picture */
async function sendPoster({ kind, id }: PosterOwner, picture: File | string): Promise<void> {
  const body = typeof picture === 'string' ? await fetchPicture(picture) : picture;
  const { url } = await call(requests[kind], { params: { id } });
  const response = await fetch(url, { method: 'PUT', body, credentials: 'omit' });
  if (!response.ok) throw await readApiError(response);
}

async function fetchPicture(url: string): Promise<Blob> {
  const response = await fetch(url, { credentials: 'omit', cache: 'no-store' });
  if (!response.ok) throw await readApiError(response);
  return response.blob();
}

export function useUploadPoster(owner: PosterOwner) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (picture: File | string) => sendPoster(owner, picture),
    onSettled: () => client.invalidateQueries({ queryKey: keys[owner.kind] }),
  });
}

export function useDeletePoster({ kind, id }: PosterOwner) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(deletions[kind], { params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: keys[kind] }),
  });
}
