'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'use-intl';
import { readAssetCurl, readAssetNode } from '@/components/assets/asset-commands';
import { IpfsCopiesPanel } from '@/components/assets/asset-facts';
import { useAssetBulkActions } from '@/components/assets/asset-bulk-actions';
import { ExportAssetDialog } from '@/components/assets/export-form';
import { PosterPanel } from '@/components/assets/poster-panel';
import { ReplaceFileButton } from '@/components/assets/replace-file';
import { TranscodeAssetDialog } from '@/components/assets/transcode-form';
import { AsCodePanel } from '@/components/streams/sharing/as-code-panel';
import { AssetTasksPanel } from '@/components/tasks/asset-tasks';
import { IfPermitted, ReadOnlyUnlessPermitted } from '@/components/teams/use-team';
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
        <IfPermitted>
          <Panel title={t('file')} description={t('fileText')}>
            <div className="flex flex-wrap gap-2">
              <ReplaceFileButton asset={asset} />
              <TranscodeAssetDialog asset={asset} />
              <ExportAssetDialog asset={asset} />
            </div>
          </Panel>
        </IfPermitted>
      )}
      <AssetTasksPanel id={asset.id} />
      <IpfsCopiesPanel asset={asset} />
      <ReadOnlyUnlessPermitted>
        {ready && <PosterPanel asset={asset} token={token} />}
      </ReadOnlyUnlessPermitted>
      <AsCodePanel
        subject={t('asset')}
        curl={readAssetCurl(base, asset.id)}
        node={readAssetNode(base, asset.id)}
        json={JSON.stringify(asset, null, 2)}
      />
      <IfPermitted>
        <DeleteAsset asset={asset} />
      </IfPermitted>
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
