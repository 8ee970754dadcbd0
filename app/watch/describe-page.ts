import type { Metadata } from 'next';
import { getTranslations } from '@/app/messages';
import { watchUrl } from '@/components/player/pages/share-links';
import { getServices } from '@/lib/http/services';
import { findWatchable } from './find-watchable';
import { describeMedia, defaultPlayerSize } from './structured-data';

/**
 * Metadata of a page for viewers: the title of the tab, and previews on other sites (oEmbed, Open Graph, Twitter
 * cards).
 */
export async function describePage(playbackId: string): Promise<Metadata> {
  const playback = await findWatchable(playbackId);
  const t = await getTranslations('player.page');
  if (playback === null) return { title: t('nothingTitle') };
  const { baseUrl } = getServices().settings;
  const { title, src, poster, publicStatus, media, brand, policy } = playback;
  const siteName = brand?.name ?? 'Headwater';
  const tabTitle = { absolute: `${title} · ${siteName}` };
  // Other sites could not play content that requires access.
  if (policy || publicStatus?.state === 'unavailable' || publicStatus?.state === 'deleted') {
    return { title: tabTitle, robots: { index: false } };
  }
  const pageUrl = watchUrl(baseUrl, playbackId);
  const images = poster ? [poster] : [];
  const openGraph = { type: 'video.other', siteName, title, url: pageUrl, images } as const;
  if (src === null || !media) return { title: tabTitle, openGraph, alternates: { canonical: pageUrl } };
  const description = describeMedia(t, title, media);
  const embedUrl = `${baseUrl}/embed/${playbackId}`;
  const { width = defaultPlayerSize.width, height = defaultPlayerSize.height } = media.mp4 ?? {};
  return {
    title: tabTitle,
    description,
    alternates: {
      canonical: pageUrl,
      types: { 'application/json+oembed': `${baseUrl}/api/oembed?url=${encodeURIComponent(pageUrl)}` },
    },
    openGraph: { ...openGraph, description },
    twitter: {
      card: 'player',
      title,
      description,
      images,
      players: [{ playerUrl: embedUrl, streamUrl: media.mp4?.url ?? src, width, height }],
    },
  };
}
