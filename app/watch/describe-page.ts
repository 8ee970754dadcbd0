import type { Metadata } from 'next';
import { services } from '@/lib/http/services';
import { findWatchable } from './find-watchable';

/** Of a page for viewers: the tab says what plays, and other sites can show it (oEmbed, Open Graph). */
export async function describePage(playbackId: string): Promise<Metadata> {
  const found = await findWatchable(playbackId);
  if (found === null) return { title: 'Nothing to watch here' };
  const { baseUrl } = services().settings;
  const { title, src, poster, broadcast } = found;
  if (broadcast?.state === 'unavailable' || broadcast?.state === 'deleted') {
    return { title, robots: { index: false } };
  }
  const page = `${baseUrl}/watch/${playbackId}`;
  return {
    title,
    openGraph: { type: 'video.other', title, url: page, ...(poster ? { images: [poster] } : {}) },
    // There is a frame for other sites once there is something to play.
    ...(src === null
      ? {}
      : {
          alternates: {
            types: { 'application/json+oembed': `${baseUrl}/api/oembed?url=${encodeURIComponent(page)}` },
          },
        }),
  };
}
