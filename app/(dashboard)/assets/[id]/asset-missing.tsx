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
      <EmptyState title="There is nothing to restore" action={<AllAssets />}>
        No asset with this address was deleted in the last seven days.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="This asset is not here"
      action={
        <>
          <Button
            variant="primary"
            pending={restore.isPending}
            onClick={() =>
              restore.mutate(id, {
                onSuccess: () => toast.success('Restored the asset'),
                onError: (error) => {
                  if (!(error instanceof ApiError && (error.status === 404 || error.status === 422))) {
                    toast.error('It was not restored', { description: error.message });
                  }
                },
              })
            }
          >
            Restore it
          </Button>
          <AllAssets />
        </>
      }
    >
      It was deleted, or the address is not quite right. What was deleted in the last seven days can be
      restored.
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
