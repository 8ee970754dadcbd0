import { useMutation, useQueryClient } from '@tanstack/react-query';
import { callEndpoint, readErrorResponse } from '@/lib/client/call';
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

const keysToInvalidate = { stream: streamsKey, asset: assetsKey } as const;
const requestPosterUpload = ({ kind, id }: PosterOwner) =>
  kind === 'stream'
    ? callEndpoint(requestStreamPosterUpload, { params: { id } })
    : callEndpoint(requestAssetPosterUpload, { params: { id } });
const deletePoster = ({ kind, id }: PosterOwner) =>
  kind === 'stream'
    ? callEndpoint(deleteStreamPoster, { params: { id } })
    : callEndpoint(deleteAssetPoster, { params: { id } });

/**
 * Uploads a poster.
 * @param picture a file, or the URL of a picture
 */
async function uploadPoster(owner: PosterOwner, picture: File | string): Promise<void> {
  const body = typeof picture === 'string' ? await fetchPicture(picture) : picture;
  const { url } = await requestPosterUpload(owner);
  const response = await fetch(url, { method: 'PUT', body, credentials: 'omit' });
  if (!response.ok) throw await readErrorResponse(response);
}

async function fetchPicture(url: string): Promise<Blob> {
  const response = await fetch(url, { credentials: 'omit', cache: 'no-store' });
  if (!response.ok) throw await readErrorResponse(response);
  return response.blob();
}

export function useUploadPoster(owner: PosterOwner) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (picture: File | string) => uploadPoster(owner, picture),
    onSettled: () => client.invalidateQueries({ queryKey: keysToInvalidate[owner.kind] }),
  });
}

export function useDeletePoster(owner: PosterOwner) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => deletePoster(owner),
    onSettled: () => client.invalidateQueries({ queryKey: keysToInvalidate[owner.kind] }),
  });
}
