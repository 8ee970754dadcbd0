import type { Metadata } from 'next';
import { findHls } from '@/app/watch/find-hls';
import { Player } from '@/components/player/player';

export const metadata: Metadata = { title: 'Live stream' };

/** The bare player for frames on other sites; it fills the frame. */
export default async function EmbedPage({ params }: { params: Promise<{ playbackId: string }> }) {
  const found = await findHls((await params).playbackId);
  return (
    <main>
      <Player src={null} {...found} title="Live stream" wholePage fill />
    </main>
  );
}
