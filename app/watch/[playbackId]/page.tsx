import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { findHls } from '@/app/watch/find-hls';
import { Player } from '@/components/player/player';
import { Wordmark } from '@/components/ui/mark';

export const metadata: Metadata = { title: 'Watch' };

/** The page for viewers: the picture and nothing else. */
export default async function WatchPage({ params }: { params: Promise<{ playbackId: string }> }) {
  const found = await findHls((await params).playbackId);
  if (found === null) notFound();
  return (
    <main className="grid min-h-dvh grid-rows-[1fr_auto] gap-6 px-0 py-0 sm:p-6">
      <h1 className="sr-only">Live stream</h1>
      <div className="grid place-items-center">
        <Player
          {...found}
          title="Live stream"
          wholePage
          className="max-w-[calc((100dvh-7rem)*16/9)] sm:rounded-lg"
        />
      </div>
      <footer className="text-ink-2 flex h-10 items-center justify-center max-sm:pb-4">
        <Wordmark small />
      </footer>
    </main>
  );
}
