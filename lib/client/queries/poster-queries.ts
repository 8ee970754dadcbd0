import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call, readApiError } from '@/lib/client/call';
import { assetsKey, streamsKey } from '@/lib/client/query-keys';
import {
  deleteAssetPoster,
  deleteStreamPoster,
  requestAssetPosterUpload,
  requestStreamPosterUpload,
} from '@/lib/client/routes/assets-routes';

/** An object with a poster. */
export interface PosterOwner {
  readonly kind: 'stream' | 'asset';
  readonly id: string;
}

const keys = { stream: streamsKey, asset: assetsKey } as const;
const requestUpload = ({ kind, id }: PosterOwner) =>
  kind === 'stream'
    ? call(requestStreamPosterUpload, { params: { id } })
    : call(requestAssetPosterUpload, { params: { id } });
const deletePoster = ({ kind, id }: PosterOwner) =>
  kind === 'stream'
    ? call(deleteStreamPoster, { params: { id } })
    : call(deleteAssetPoster, { params: { id } });

/** @param picture a file, or the URL of a picture */
async function sendPoster(owner: PosterOwner, picture: File | string): Promise<void> {
  const body = typeof picture === 'string' ? await fetchPicture(picture) : picture;
  const { url } = await requestUpload(owner);
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

export function useDeletePoster(owner: PosterOwner) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => deletePoster(owner),
    onSettled: () => client.invalidateQueries({ queryKey: keys[owner.kind] }),
  });
}
