'use client';

import Link from 'next/link';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { IfPermitted } from '@/components/teams/use-team';
import { Button } from '@/components/ui/button';
import { EmptyState, LoadErrorMessage } from '@/components/ui/empty-state';
import { Skeleton } from '@/components/ui/skeleton';
import { ApiCallError } from '@/lib/client/call';
import { usePublicUrls } from '@/lib/client/queries/public-urls';
import { useAsset, useRestoreAsset } from '@/lib/client/queries/asset-queries';
import { AssetContent } from './asset-content';

/** Shown for an unknown id or a deleted asset, which can be restored for seven days. */
function AssetMissing({ id }: { id: string }) {
  const t = useTranslations('assets.assetView');
  const restore = useRestoreAsset();
  // 404: deleted more than seven days ago, or never there. 422: the id is not a UUID.
  const isGone =
    restore.error instanceof ApiCallError && (restore.error.status === 404 || restore.error.status === 422);
  if (isGone) {
    return (
      <EmptyState title={t('nothingToRestore')} action={<AllAssets />}>
        {t('nothingToRestoreText')}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={t('assetNotFound')}
      action={
        <>
          <IfPermitted>
            <Button
              variant="primary"
              pending={restore.isPending}
              onClick={() =>
                restore.mutate(id, {
                  onSuccess: () => toast.success(t('assetRestored')),
                  onError: (error) => {
                    if (!(error instanceof ApiCallError && (error.status === 404 || error.status === 422))) {
                      toast.error(t('notRestored'), { description: error.message });
                    }
                  },
                })
              }
            >
              {t('restoreAsset')}
            </Button>
          </IfPermitted>
          <AllAssets />
        </>
      }
    >
      {t('assetNotFoundText')}
    </EmptyState>
  );
}

function AllAssets() {
  const t = useTranslations('assets.assetView');
  return (
    <Button asChild>
      <Link href="/assets">{t('allAssets')}</Link>
    </Button>
  );
}

const REFRESH_INTERVAL_MS = 2000;

export function AssetView({ id }: { id: string }) {
  const t = useTranslations('assets.assetView');
  const asset = useAsset(id, { refetchInterval: REFRESH_INTERVAL_MS });
  const urls = usePublicUrls();
  const { error } = asset;
  // 422: the id in the URL is not a UUID.
  if (error instanceof ApiCallError && (error.status === 404 || error.status === 422))
    return <AssetMissing id={id} />;
  if (error && !asset.data) {
    return <LoadErrorMessage subject={t('theAsset')} error={error} onRetry={() => void asset.refetch()} />;
  }
  if (!asset.data || !urls) return <AssetSkeleton />;
  return <AssetContent asset={asset.data} urls={urls} />;
}

/** Placeholders in the size of the page. */
function AssetSkeleton() {
  const t = useTranslations('assets.assetView');
  return (
    <div aria-busy="true" aria-label={t('loadingTheAsset')}>
      <Skeleton className="mb-1 block h-9 w-72 max-w-full" />
      <Skeleton className="mb-3 block h-6 w-64 max-w-full" />
      <Skeleton className="mb-4 block h-8 w-96 max-w-full" />
      <div className="grid gap-4 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid gap-4">
          <Skeleton className="aspect-video w-full rounded-lg" />
          <Skeleton className="h-64 w-full rounded-lg" />
        </div>
        <Skeleton className="h-96 w-full rounded-lg" />
      </div>
    </div>
  );
}
