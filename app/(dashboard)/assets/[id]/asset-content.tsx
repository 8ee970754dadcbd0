'use client';

import { Download } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { AssetCopies, AssetFacts } from '@/components/assets/asset-facts';
import { AssetStage } from '@/components/assets/asset-stage';
import { readAssetCurl, readAssetNode } from '@/components/assets/asset-commands';
import { ChaptersPanel } from '@/components/assets/chapters-panel';
import { Replacement, ReplaceFile } from '@/components/assets/replace-file';
import { PosterPanel } from '@/components/assets/poster-panel';
import { TagsPanel } from '@/components/assets/tags-panel';
import { TracksPanel } from '@/components/assets/tracks-panel';
import { assetStatus } from '@/components/assets/asset-words';
import { AsCodePanel } from '@/components/streams/sharing/as-code-panel';
import { SharePanel } from '@/components/streams/sharing/share-panel';
import { ForRole, ReadOnlyBelow, useMay } from '@/components/teams/use-team';
import { BackLink, PageHeader } from '@/components/ui/page-header';
import { Button } from '@/components/ui/button';
import { NameInPlace } from '@/components/ui/form/name-in-place';
import { Panel } from '@/components/ui/panel';
import { StatusPill } from '@/components/ui/status-pill';
import { useRenameAsset } from '@/lib/client/queries/asset-queries';
import { type OwnerToken, useOwnerToken } from '@/lib/client/queries/access-queries';
import type { Asset } from '@/lib/contract/assets/asset';
import { type Addresses, downloadLink } from '@/lib/client/queries/addresses';
import { useAssetOrders } from '@/components/assets/asset-orders';
import { PolicyBadge } from '@/components/access/policy-badge';
import { AssetPolicy } from '@/components/access/policy-panel';
import { AssetTasks } from '@/components/tasks/asset-tasks';
import { ExportAsset } from '@/components/assets/export-form';
import { TranscodeAsset } from '@/components/assets/transcode-form';

interface AssetContentProps {
  asset: Asset;
  addresses: Addresses;
}

export function AssetContent({ asset, addresses }: AssetContentProps) {
  const t = useTranslations('assets.assetContent');
  const words = useTranslations('assets.assetWords');
  const router = useRouter();
  const rename = useRenameAsset(asset.id);
  const orders = useAssetOrders();
  const mayChange = useMay('developer');
  const status = assetStatus(words, asset);
  const { base } = addresses;
  const token = useOwnerToken(asset.playbackId, asset.playbackPolicy);
  return (
    <>
      <BackLink href="/assets">{t('assets')}</BackLink>
      <PageHeader
        title={
          <NameInPlace
            what={t('asset')}
            name={asset.name}
            fixed={!mayChange}
            onRename={(name) =>
              rename.mutate(name, {
                // The page's title has the name, too.
                onSuccess: () => router.refresh(),
                onError: (error) => toast.error(t('notSaved'), { description: error.message }),
              })
            }
          />
        }
        description={
          <span className="mt-1 flex flex-wrap items-center gap-x-4 gap-y-1">
            <span aria-live="polite" className="flex">
              <StatusPill tone={status.tone}>{status.label}</StatusPill>
            </span>
            <PolicyBadge policy={asset.playbackPolicy} />
          </span>
        }
        action={<ReadyActions asset={asset} token={token} />}
      />
      <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid min-w-0 gap-6">
          <Replacement asset={asset} />
          <AssetStage asset={asset} />
          {asset.playbackUrl !== undefined && (
            <SharePanel
              baseUrl={base}
              playbackId={asset.playbackId}
              playbackUrl={asset.playbackUrl}
              title={asset.name}
              policy={asset.playbackPolicy}
            />
          )}
          <ReadOnlyBelow>
            <AssetPolicy asset={asset} />
            {asset.status.phase === 'ready' && <PosterPanel asset={asset} token={token} />}
            {asset.status.phase === 'ready' && <TracksPanel asset={asset} />}
            {asset.status.phase === 'ready' && <ChaptersPanel asset={asset} />}
          </ReadOnlyBelow>
          <AsCodePanel
            what={t('asset')}
            curl={readAssetCurl(base, asset.id)}
            node={readAssetNode(base, asset.id)}
            json={JSON.stringify(asset, null, 2)}
          />
        </div>
        <div className="grid min-w-0 gap-6">
          <AssetTasks id={asset.id} />
          <AssetFacts asset={asset} />
          <TagsPanel asset={asset} />
          <AssetCopies asset={asset} />
          <ForRole>
            <Panel title={t('delete')}>
              <p className="text-ink-2 mb-4">{t('playbackStopsAtOnce')}</p>
              <Button
                variant="danger"
                onClick={() =>
                  orders.askToDelete([asset], ({ done }) => done.length > 0 && router.push('/assets'))
                }
              >
                {t('deleteAsset')}
              </Button>
            </Panel>
          </ForRole>
        </div>
      </div>
      {orders.dialogs}
    </>
  );
}

/** What only an asset with a file offers. */
function ReadyActions({ asset, token }: { asset: Asset; token: OwnerToken }) {
  const t = useTranslations('assets.assetContent');
  if (asset.status.phase !== 'ready') return null;
  return (
    <div className="flex flex-wrap gap-2">
      <ForRole>
        <ReplaceFile asset={asset} />
        <TranscodeAsset asset={asset} />
        <ExportAsset asset={asset} />
      </ForRole>
      {asset.downloadUrl !== undefined && (
        <Button asChild variant="primary">
          <a href={downloadLink(asset.downloadUrl, token)} download>
            <Download aria-hidden="true" />
            {t('download')}
          </a>
        </Button>
      )}
    </div>
  );
}
