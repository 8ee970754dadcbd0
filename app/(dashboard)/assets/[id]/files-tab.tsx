'use client';

import { FilePanel, IpfsCopiesPanel } from '@/components/assets/asset-facts';
import { AssetTasksPanel } from '@/components/tasks/asset-tasks';
import type { Asset } from '@/lib/contract/assets/asset';

/** Facts about the file, the tasks of the asset, and its copies. */
export function FilesTab({ asset }: { asset: Asset }) {
  return (
    <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="grid gap-4">
        <AssetTasksPanel assetId={asset.id} />
        <IpfsCopiesPanel asset={asset} />
      </div>
      <FilePanel asset={asset} />
    </div>
  );
}
