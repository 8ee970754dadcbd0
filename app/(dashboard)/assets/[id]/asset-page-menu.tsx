'use client';

import dynamic from 'next/dynamic';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { useAssetBulkActions } from '@/components/assets/asset-bulk-actions';
import { AssetMenu } from '@/components/assets/asset-menu';
import { useCopyValue } from '@/components/ui/copy/use-copy-value';
import type { PublicUrls } from '@/lib/client/queries/public-urls';
import type { Asset } from '@/lib/contract/assets/asset';

/** Dialogs that are loaded when they are opened. */
const dialogs = {
  replace: dynamic(async () => (await import('@/components/assets/replace-file')).ReplaceFileDialog),
  transcode: dynamic(async () => (await import('@/components/assets/transcode-form')).TranscodeAssetDialog),
  export: dynamic(async () => (await import('@/components/assets/export-form')).ExportAssetDialog),
};

interface AssetPageMenuProps {
  asset: Asset;
  urls: PublicUrls;
  /** Opens the tab with the tasks. */
  onTasks: () => void;
}

/** Open menu of the rare actions on the page of an asset, and their dialogs. */
export function AssetPageMenu({ asset, urls, onTasks }: AssetPageMenuProps) {
  const router = useRouter();
  const copyValue = useCopyValue('asset');
  const bulkActions = useAssetBulkActions();
  const [openDialog, setOpenDialog] = useState<keyof typeof dialogs | null>(null);
  const Dialog = openDialog && dialogs[openDialog];
  const deleteAsset = () =>
    bulkActions.askToDelete([asset], ({ succeededIds }) => succeededIds.length > 0 && router.push('/assets'));
  return (
    <>
      <AssetMenu
        asset={asset}
        defaultOpen
        onCopy={(part) => void copyValue(part, asset, urls)}
        onReplace={() => setOpenDialog('replace')}
        onTranscode={() => setOpenDialog('transcode')}
        onExport={() => {
          // The tab shows the progress of the export.
          onTasks();
          setOpenDialog('export');
        }}
        onDelete={deleteAsset}
        onRestore={() => bulkActions.restore([asset], () => router.refresh())}
      />
      {Dialog && <Dialog asset={asset} onClose={() => setOpenDialog(null)} />}
      {bulkActions.dialogs}
    </>
  );
}
