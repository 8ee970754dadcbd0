import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { describePage } from '@/app/watch/describe-page';
import { findWatchable } from '@/app/watch/find-watchable';
import { Unready } from '@/app/watch/unready';
import { chosenSource } from '@/components/player/embed-options';
import { Player } from '@/components/player/player';
import { Wordmark } from '@/components/ui/mark';

interface WatchProps {
  params: Promise<{ playbackId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export async function generateMetadata({ params }: WatchProps): Promise<Metadata> {
  return describePage((await params).playbackId);
}

/** The page for viewers: the picture, its name and nothing else. */
export default async function WatchPage({ params, searchParams }: WatchProps) {
  const found = await findWatchable((await params).playbackId);
  if (found === null) notFound();
  const { title, src, poster, broadcast, unready } = found;
  // As wide as the window, but never so that the name below has to be scrolled to.
  const size = 'w-full max-w-[calc((100dvh-6.5rem)*16/9)]';
  return (
    <main className="grid min-h-dvh content-center justify-items-center gap-4 pb-4 sm:p-6">
      <div className={size}>
        {unready ? (
          <Unready {...unready} title={title} className="sm:rounded-lg" />
        ) : (
          <Player
            src={chosenSource(src, await searchParams)}
            broadcast={broadcast}
            poster={poster}
            title={title}
            wholePage
            className="sm:rounded-lg"
          />
        )}
      </div>
      <div className={`flex items-baseline justify-between gap-6 max-sm:px-4 ${size}`}>
        <h1 className="min-w-0 text-lg font-semibold tracking-tight break-words">{title}</h1>
        <Wordmark small />
      </div>
    </main>
  );
}
