'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'use-intl';
import { readAssetCurl, readAssetNode } from '@/components/assets/asset-commands';
import { AssetCopies } from '@/components/assets/asset-facts';
import { useAssetBulkActions } from '@/components/assets/asset-bulk-actions';
import { ExportAsset } from '@/components/assets/export-form';
import { PosterPanel } from '@/components/assets/poster-panel';
import { ReplaceFile } from '@/components/assets/replace-file';
import { TranscodeAsset } from '@/components/assets/transcode-form';
import { AsCodePanel } from '@/components/streams/sharing/as-code-panel';
import { AssetTasks } from '@/components/tasks/asset-tasks';
import { ForRole, ReadOnlyBelow } from '@/components/teams/use-team';
import { Button } from '@/components/ui/button';
import { Panel } from '@/components/ui/panel';
import type { OwnerToken } from '@/lib/client/queries/access-queries';
import type { Asset } from '@/lib/contract/assets/asset';

interface FilesTabProps {
  asset: Asset;
  base: string;
  token: OwnerToken;
}

export function FilesTab({ asset, base, token }: FilesTabProps) {
  const t = useTranslations('assets.assetContent');
  const ready = asset.status.phase === 'ready';
  return (
    <div className="grid gap-6">
      {ready && (
        <ForRole>
          <Panel title={t('file')} description={t('fileText')}>
            <div className="flex flex-wrap gap-2">
              <ReplaceFile asset={asset} />
              <TranscodeAsset asset={asset} />
              <ExportAsset asset={asset} />
            </div>
          </Panel>
        </ForRole>
      )}
      <AssetTasks id={asset.id} />
      <AssetCopies asset={asset} />
      <ReadOnlyBelow>{ready && <PosterPanel asset={asset} token={token} />}</ReadOnlyBelow>
      <AsCodePanel
        subject={t('asset')}
        curl={readAssetCurl(base, asset.id)}
        node={readAssetNode(base, asset.id)}
        json={JSON.stringify(asset, null, 2)}
      />
      <ForRole>
        <DeleteAsset asset={asset} />
      </ForRole>
    </div>
  );
}

function DeleteAsset({ asset }: { asset: Asset }) {
  const t = useTranslations('assets.assetContent');
  const router = useRouter();
  const bulkActions = useAssetBulkActions();
  return (
    <Panel title={t('delete')}>
      <p className="text-ink-2 mb-4">{t('playbackStopsAtOnce')}</p>
      <Button
        variant="danger"
        onClick={() =>
          bulkActions.askToDelete(
            [asset],
            ({ succeededIds }) => succeededIds.length > 0 && router.push('/assets'),
          )
        }
      >
        {t('deleteAsset')}
      </Button>
      {bulkActions.dialogs}
    </Panel>
  );
}
