import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Brand } from '@/lib/contract/accounts/brand';
import type { BodyInput } from '@/lib/contract/define-endpoint';
import { callEndpoint, readErrorResponse } from '@/lib/client/call';
import { deleteLogo, getBrand, requestLogoUpload, updateBrand } from '@/lib/client/routes/accounts-routes';
import type { EndpointOf } from '@/lib/client/routes/route';

const brandKey = ['brand'] as const;

const cacheLogoUrl = (client: QueryClient, logoUrl: string | null) =>
  client.setQueryData<Brand>(brandKey, (brand) => brand && { ...brand, logoUrl });

/** Appearance of the pages for viewers. */
export const useBrand = () =>
  useQuery({ queryKey: brandKey, queryFn: ({ signal }) => callEndpoint(getBrand, {}, { signal }) });

/** Name and logo of the team, as its viewers see them on a player without video; undefined until loaded. */
export function useStageBrand(): Pick<Brand, 'name' | 'logoUrl'> | undefined {
  const { data } = useBrand();
  return data && { name: data.name, logoUrl: data.logoUrl };
}

export function useUpdateBrand() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInput<EndpointOf<typeof updateBrand>>) => callEndpoint(updateBrand, { body }),
    onSuccess: (brand) => client.setQueryData<Brand>(brandKey, brand),
  });
}

export function useUploadLogo() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (file: File): Promise<string> => {
      const { url } = await callEndpoint(requestLogoUpload);
      const response = await fetch(url, { method: 'PUT', body: file, credentials: 'omit' });
      if (!response.ok) throw await readErrorResponse(response);
      return ((await response.json()) as { logoUrl: string }).logoUrl;
    },
    onSuccess: (logoUrl) => cacheLogoUrl(client, logoUrl),
  });
}

export function useDeleteLogo() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callEndpoint(deleteLogo),
    onSuccess: () => cacheLogoUrl(client, null),
  });
}
