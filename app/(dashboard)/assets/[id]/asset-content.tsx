'use client';

import dynamic from 'next/dynamic';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { audienceTab } from '@/components/audience/audience-tab';
import { AssetFacts } from '@/components/assets/asset-facts';
import { AssetStage } from '@/components/assets/asset-stage';
import { AssetClips } from '@/components/assets/asset-clips';
import { hasVideo } from '@/components/assets/asset-text';
import { ChapterList } from '@/components/assets/chapter-list';
import { DescriptionPanel } from '@/components/assets/description-panel';
import { WatchedPanel } from '@/components/assets/watched-panel';
import { clipKeys } from '@/components/palette/page-keys';
import { usePageKeys } from '@/components/palette/use-page-keys';
import { useHasRole } from '@/components/teams/use-team';
import { lazyTab } from '@/components/ui/lazy-tab';
import { Tabs } from '@/components/ui/tabs';
import { useTabByUrl } from '@/components/ui/use-tab-by-url';
import { type OwnerToken, useOwnerToken } from '@/lib/client/queries/access-queries';
import { type PublicUrls, downloadLink } from '@/lib/client/queries/public-urls';
import type { Asset } from '@/lib/contract/assets/asset';
import { AssetHeader } from './asset-header';

const subtitlesTab = lazyTab(async () => (await import('./subtitles-tab')).SubtitlesTab);
const sharingTab = lazyTab(async () => (await import('./sharing-tab')).SharingTab);
const filesTab = lazyTab(async () => (await import('./files-tab')).FilesTab);
const ReplacementProgress = dynamic(
  async () => (await import('@/components/assets/replacement')).ReplacementProgress,
);
const PosterDialog = dynamic(async () => (await import('@/components/assets/poster-dialog')).PosterDialog);

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
  const [isClipEditorOpen, setClipEditorOpen] = useState(false);
  const { baseUrl } = urls;
  const token = useOwnerToken(asset.playbackId, asset.playbackPolicy);
  const { phase } = asset.status;
  const openClipEditor = () => {
    if (tabName !== 'overview') setTab('overview');
    setClipEditorOpen(true);
  };
  const mayClip = useHasRole('developer') && phase === 'ready' && asset.playbackUrl !== undefined;
  usePageKeys((key) => {
    if (key === clipKeys.open && mayClip) openClipEditor();
  });
  const openTab = (tab: TabName) => {
    setClipEditorOpen(false);
    setTab(tab);
  };
  const tabContents = {
    overview: (
      <Overview
        asset={asset}
        token={token}
        clipEditor={{ open: isClipEditorOpen, onClose: () => setClipEditorOpen(false) }}
        onClip={mayClip ? openClipEditor : null}
        onChapters={() => openTab('subtitles')}
      />
    ),
    subtitles: phase === 'ready' ? <subtitlesTab.Content asset={asset} /> : null,
    sharing: phase === 'failed' ? null : <sharingTab.Content asset={asset} baseUrl={baseUrl} />,
    audience:
      phase === 'failed' ? null : (
        <audienceTab.Content scope={{ assetId: asset.id }} playlist={asset.playbackUrl} />
      ),
    files: <filesTab.Content asset={asset} />,
  };
  return (
    <>
      <AssetHeader
        asset={asset}
        downloadUrl={asset.downloadUrl === undefined ? undefined : downloadLink(asset.downloadUrl, token)}
        onClip={mayClip ? openClipEditor : null}
        onShare={() => openTab('sharing')}
        onTasks={() => openTab('files')}
        urls={urls}
      />
      {phase === 'ready' && <ReplacementProgress asset={asset} />}
      <Tabs
        label={t('tabs')}
        manual
        value={tabContents[tabName] ? tabName : 'overview'}
        onChange={openTab}
        tabs={tabNames
          .filter((tab) => tabContents[tab] !== null)
          .map((tab) => ({
            value: tab,
            label: t(tab),
            content: tabContents[tab],
            onIntent: prefetchTab[tab],
          }))}
      />
    </>
  );
}

interface OverviewProps {
  asset: Asset;
  token: OwnerToken;
  clipEditor: { readonly open: boolean; readonly onClose: () => void };
  /** Null if clips can't be made. */
  onClip: (() => void) | null;
  onChapters: () => void;
}

function Overview({ asset, token, clipEditor, onClip, onChapters }: OverviewProps) {
  const [video, setVideo] = useState<HTMLVideoElement | null>(null);
  const [isPosterOpen, setPosterOpen] = useState(false);
  const mayChange = useHasRole('developer');
  const isPlayable = asset.status.phase === 'ready' && asset.playbackUrl !== undefined;
  const mayChangePoster = mayChange && isPlayable && hasVideo(asset);
  return (
    <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-4">
        <AssetStage asset={asset} clipping={clipEditor} onVideo={setVideo} />
        <DescriptionPanel asset={asset} />
        {isPlayable && <AssetClips asset={asset} onNewClip={onClip} />}
      </div>
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-4">
        {isPlayable && <WatchedPanel id={asset.id} />}
        {isPlayable && (
          <ChapterList
            chapters={asset.chapters ?? []}
            duration={asset.videoSpec?.duration ?? 0}
            video={video}
            onEdit={onChapters}
          />
        )}
        <AssetFacts asset={asset} onPoster={mayChangePoster ? () => setPosterOpen(true) : null} />
      </div>
      {isPosterOpen && <PosterDialog asset={asset} token={token} onClose={() => setPosterOpen(false)} />}
    </div>
  );
}
