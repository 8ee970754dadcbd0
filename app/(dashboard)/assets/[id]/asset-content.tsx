'use client';

import { Download, Scissors, Share2 } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { PolicyBadge } from '@/components/access/policy-badge';
import { audienceTab } from '@/components/audience/audience-tab';
import { AssetFacts } from '@/components/assets/asset-facts';
import { AssetStage } from '@/components/assets/asset-stage';
import { assetStatus } from '@/components/assets/asset-text';
import { DescriptionPanel } from '@/components/assets/description-panel';
import { TagsPanel } from '@/components/assets/tags-panel';
import { clipKeys } from '@/components/palette/page-keys';
import { usePageKeys } from '@/components/palette/use-page-keys';
import { useHasRole } from '@/components/teams/use-team';
import { Button } from '@/components/ui/button';
import { EditableHeading } from '@/components/ui/form/name-in-place';
import { lazyTab } from '@/components/ui/lazy-tab';
import { ObjectHeader } from '@/components/ui/page-header';
import { StatusPill } from '@/components/ui/status-pill';
import { Tabs } from '@/components/ui/tabs';
import { useTabByUrl } from '@/components/ui/use-tab-by-url';
import { useOwnerToken } from '@/lib/client/queries/access-queries';
import { type PublicUrls, downloadLink } from '@/lib/client/queries/public-urls';
import { useRenameAsset } from '@/lib/client/queries/asset-queries';
import type { Asset } from '@/lib/contract/assets/asset';

const subtitlesTab = lazyTab(async () => (await import('./subtitles-tab')).SubtitlesTab);
const sharingTab = lazyTab(async () => (await import('./sharing-tab')).SharingTab);
const filesTab = lazyTab(async () => (await import('./files-tab')).FilesTab);
const ReplacementProgress = dynamic(
  async () => (await import('@/components/assets/replacement')).ReplacementProgress,
);

interface AssetContentProps {
  asset: Asset;
  urls: PublicUrls;
}

const tabNames = ['overview', 'subtitles', 'sharing', 'audience', 'files'] as const;
type TabName = (typeof tabNames)[number];
const prefetchTab: Partial<Record<TabName, () => void>> = {
  subtitles: subtitlesTab.prefetch,
  sharing: sharingTab.prefetch,
  audience: audienceTab.prefetch,
  files: filesTab.prefetch,
};

export function AssetContent({ asset, urls }: AssetContentProps) {
  const t = useTranslations('assets.assetContent');
  const [tabName, setTab] = useTabByUrl(tabNames);
  const [isClipOpen, setClipOpen] = useState(false);
  const { baseUrl: base } = urls;
  const token = useOwnerToken(asset.playbackId, asset.playbackPolicy);
  const { phase } = asset.status;
  const content = {
    overview: <Overview asset={asset} clipEditor={{ open: isClipOpen, onClose: () => setClipOpen(false) }} />,
    subtitles: phase === 'ready' ? <subtitlesTab.Content asset={asset} /> : null,
    sharing: phase === 'failed' ? null : <sharingTab.Content asset={asset} base={base} />,
    audience:
      phase === 'failed' ? null : (
        <audienceTab.Content scope={{ assetId: asset.id }} playlist={asset.playbackUrl} />
      ),
    files: <filesTab.Content asset={asset} base={base} token={token} />,
  };
  const openClip = () => {
    if (tabName !== 'overview') setTab('overview');
    setClipOpen(true);
  };
  const mayClip = useHasRole('developer') && phase === 'ready' && asset.playbackUrl !== undefined;
  usePageKeys((key) => {
    if (key === clipKeys.open && mayClip) openClip();
  });
  const openTab = (tab: TabName) => {
    setClipOpen(false);
    setTab(tab);
  };
  return (
    <>
      <AssetHeader
        asset={asset}
        downloadUrl={asset.downloadUrl === undefined ? undefined : downloadLink(asset.downloadUrl, token)}
        onClip={mayClip ? openClip : null}
        onShare={() => openTab('sharing')}
      />
      {phase === 'ready' && <ReplacementProgress asset={asset} />}
      <Tabs
        label={t('tabs')}
        manual
        value={content[tabName] ? tabName : 'overview'}
        onChange={openTab}
        tabs={tabNames
          .filter((tab) => content[tab] !== null)
          .map((tab) => ({
            value: tab,
            label: t(tab),
            content: content[tab],
            onIntent: prefetchTab[tab],
          }))}
      />
    </>
  );
}

interface OverviewProps {
  asset: Asset;
  clipEditor: { readonly open: boolean; readonly onClose: () => void };
}

function Overview({ asset, clipEditor }: OverviewProps) {
  return (
    <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-6">
        <AssetStage asset={asset} clipping={clipEditor} />
        <DescriptionPanel asset={asset} />
        <TagsPanel asset={asset} />
      </div>
      <AssetFacts asset={asset} />
    </div>
  );
}

interface AssetHeaderProps {
  asset: Asset;
  downloadUrl: string | undefined;
  /** Null if clips can't be made. */
  onClip: (() => void) | null;
  onShare: () => void;
}

/** Header with the name, state and main actions of the asset. */
function AssetHeader({ asset, downloadUrl, onClip, onShare }: AssetHeaderProps) {
  const t = useTranslations('assets.assetContent');
  const tAssetText = useTranslations('assets.assetText');
  const router = useRouter();
  const rename = useRenameAsset(asset.id);
  const mayChange = useHasRole('developer');
  const status = assetStatus(tAssetText, asset);
  return (
    <ObjectHeader
      back={{ href: '/assets', label: t('assets') }}
      title={
        <EditableHeading
          subject={t('asset')}
          name={asset.name}
          isFixed={!mayChange}
          onRename={(name) =>
            rename.mutate(name, {
              // The document title contains the name.
              onSuccess: () => router.refresh(),
              onError: (error) => toast.error(t('notSaved'), { description: error.message }),
            })
          }
        />
      }
      description={
        <span className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <span aria-live="polite" className="flex">
            <StatusPill tone={status.tone}>{status.label}</StatusPill>
          </span>
          <PolicyBadge policy={asset.playbackPolicy} />
        </span>
      }
      action={
        asset.status.phase === 'ready' && (
          <div className="flex flex-wrap gap-2">
            {onClip && (
              <Button className="max-sm:px-3" onClick={onClip} aria-keyshortcuts={clipKeys.open}>
                <Scissors aria-hidden="true" />
                {t('clip')}
              </Button>
            )}
            {downloadUrl !== undefined && (
              <Button asChild className="max-sm:px-3">
                <a href={downloadUrl} download>
                  <Download aria-hidden="true" />
                  {t('download')}
                </a>
              </Button>
            )}
            <Button variant="primary" className="max-sm:px-3" onClick={onShare}>
              <Share2 aria-hidden="true" />
              {t('share')}
            </Button>
          </div>
        )
      }
    />
  );
}
