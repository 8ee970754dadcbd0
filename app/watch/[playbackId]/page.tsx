import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { findWatchable, oembedUrlOf } from '@/app/watch/find-watchable';
import { Unready } from '@/app/watch/unready';
import { Player } from '@/components/player/player';
import { Wordmark } from '@/components/ui/mark';

interface WatchProps {
  params: Promise<{ playbackId: string }>;
}

export async function generateMetadata({ params }: WatchProps): Promise<Metadata> {
  const types = { 'application/json+oembed': oembedUrlOf((await params).playbackId) };
  return { title: 'Watch', alternates: { types } };
}

/** The page for viewers: the picture and nothing else. */
export default async function WatchPage({ params }: WatchProps) {
  const found = await findWatchable((await params).playbackId);
  if (found === null) notFound();
  const { title, src, poster, unready } = found;
  const size = 'max-w-[calc((100dvh-7rem)*16/9)] sm:rounded-lg';
  return (
    <main className="grid min-h-dvh grid-rows-[1fr_auto] gap-6 px-0 py-0 sm:p-6">
      <h1 className="sr-only">{title}</h1>
      <div className="grid place-items-center">
        {unready ? (
          <Unready {...unready} className={size} />
        ) : (
          <Player src={src} poster={poster} title={title} wholePage className={size} />
        )}
      </div>
      <footer className="text-ink-2 flex h-10 items-center justify-center max-sm:pb-4">
        <Wordmark small />
      </footer>
    </main>
  );
}
