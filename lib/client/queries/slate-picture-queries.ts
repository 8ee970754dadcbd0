import { useMutation, useQueryClient } from '@tanstack/react-query';
import { callEndpoint, readErrorResponse } from '@/lib/client/call';
import { streamsKey } from '@/lib/client/query-keys';
import { deleteSlatePicture, requestSlatePictureUpload } from '@/lib/client/routes/streams-routes';

export function useUploadSlatePicture(streamId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (file: File): Promise<void> => {
      const { url } = await callEndpoint(requestSlatePictureUpload, { params: { id: streamId } });
      const response = await fetch(url, { method: 'PUT', body: file, credentials: 'omit' });
      if (!response.ok) throw await readErrorResponse(response);
    },
    onSettled: () => client.invalidateQueries({ queryKey: streamsKey }),
  });
}

export function useDeleteSlatePicture(streamId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callEndpoint(deleteSlatePicture, { params: { id: streamId } }),
    onSettled: () => client.invalidateQueries({ queryKey: streamsKey }),
  });
}
