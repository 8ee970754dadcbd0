'use client';

import { useTranslations } from 'use-intl';
import { GoLiveContent } from '@/components/streams/go-live/go-live';
import { obstacleOf, GoLiveUnavailable } from '@/components/streams/go-live/unavailable';
import { PageHeader } from '@/components/ui/page-header';
import { useHydrated } from '@/components/ui/use-hydrated';
import type { PublicUrls } from '@/lib/client/queries/public-urls';
import type { Stream } from '@/lib/contract/streams/stream';
import { StreamLoader, StreamSkeleton } from '../stream-loader';

export function GoLiveView({ id }: { id: string }) {
  // The capabilities of the browser are unknown during server rendering.
  const isHydrated = useHydrated();
  if (!isHydrated) return <StreamSkeleton />;
  return (
    <StreamLoader id={id}>{(stream, urls) => <LoadedGoLiveView stream={stream} urls={urls} />}</StreamLoader>
  );
}

function LoadedGoLiveView({ stream, urls }: { stream: Stream; urls: PublicUrls }) {
  const t = useTranslations('goLive.page');
  const { streamKey } = stream;
  const { whip } = urls;
  const obstacle = obstacleOf(whip, streamKey);
  if (obstacle !== null || whip === null || !streamKey) {
    return (
      <>
        <PageHeader title={t('title', { name: stream.name })} />
        <GoLiveUnavailable obstacle={obstacle ?? 'noKey'} streamId={stream.id} />
      </>
    );
  }
  return <GoLiveContent stream={stream} urls={urls} endpoint={{ url: whip, streamKey }} />;
}
