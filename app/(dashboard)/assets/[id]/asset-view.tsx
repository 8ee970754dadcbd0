'use client';

import { LoadFailed } from '@/components/ui/load-failed';
import { Skeleton } from '@/components/ui/skeleton';
import { ApiError } from '@/lib/client';
import { useAsset } from '@/lib/client/asset-queries';
import { useAddresses } from '../../_data/addresses';
import { AssetContent } from './asset-content';
import { AssetMissing } from './asset-missing';

const REFRESH_MS = 2000;

export function AssetView({ id }: { id: string }) {
  const asset = useAsset(id, { refetchInterval: REFRESH_MS });
  const addresses = useAddresses();
  const { error } = asset;
  if (error instanceof ApiError && (error.status === 404 || error.status === 422))
    return <AssetMissing id={id} />;
  if (error && !asset.data) {
    return <LoadFailed what="The asset" error={error} onRetry={() => void asset.refetch()} />;
  }
  if (!asset.data || !addresses) return <AssetSkeleton />;
  return <AssetContent asset={asset.data} addresses={addresses} />;
}

/** The shapes of the page, where the data will stand. */
function AssetSkeleton() {
  return (
    <div aria-busy="true" aria-label="Loading the asset">
      <Skeleton className="mb-3 h-5 w-20" />
      <Skeleton className="mb-2 block h-8 w-72 max-w-full" />
      <Skeleton className="mb-6 block h-6 w-24" />
      <div className="grid gap-6 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid gap-6">
          <Skeleton className="aspect-video w-full rounded-lg" />
          <Skeleton className="h-64 w-full rounded-lg" />
        </div>
        <Skeleton className="h-96 w-full rounded-lg" />
      </div>
    </div>
  );
}
