'use client';

import Link from 'next/link';
import { toast } from 'sonner';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { ApiError } from '@/lib/client';
import { useRestoreAsset } from '@/lib/client/asset-queries';

/** Not there: a wrong address, or deleted; in the second case it can come back for seven days. */
export function AssetMissing({ id }: { id: string }) {
  const restore = useRestoreAsset();
  const gone =
    restore.error instanceof ApiError && (restore.error.status === 404 || restore.error.status === 422);
  if (gone) {
    return (
      <EmptyState title="Nothing to restore" action={<AllAssets />}>
        No asset with this ID was deleted in the last seven days.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="Asset not found"
      action={
        <>
          <Button
            variant="primary"
            pending={restore.isPending}
            onClick={() =>
              restore.mutate(id, {
                onSuccess: () => toast.success('Asset restored'),
                onError: (error) => {
                  if (!(error instanceof ApiError && (error.status === 404 || error.status === 422))) {
                    toast.error('Couldn’t restore the asset', { description: error.message });
                  }
                },
              })
            }
          >
            Restore asset
          </Button>
          <AllAssets />
        </>
      }
    >
      The asset was deleted, or the link is wrong. You can restore an asset for seven days after you delete
      it.
    </EmptyState>
  );
}

function AllAssets() {
  return (
    <Button asChild>
      <Link href="/assets">All assets</Link>
    </Button>
  );
}
