'use client';

import Link from 'next/link';
import { Skeleton } from '@/components/ui/skeleton';
import { useAsset } from '@/lib/client/asset-queries';

/** Names change rarely, and many rows ask for one. */
const FRESH_FOR_MS = 5 * 60_000;

/** An asset by its name, with a link; a deleted one by the beginning of its id. */
export function AssetName({ id }: { id: string }) {
  const asset = useAsset(id, { staleTime: FRESH_FOR_MS });
  if (asset.isPending) return <Skeleton className="h-4 w-32" />;
  return (
    <Link
      href={`/assets/${id}`}
      className="hover:text-accent-ink rounded-sm wrap-anywhere underline-offset-4 hover:underline"
    >
      {asset.data?.name ?? (
        <span className="text-ink-2">
          <span className="font-mono text-sm">{id.slice(0, 8)}…</span> (deleted)
        </span>
      )}
    </Link>
  );
}
