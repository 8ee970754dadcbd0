'use client';

import { useTranslations } from 'use-intl';
import { GoLive } from '@/components/streams/go-live/go-live';
import { obstacleOf, Unavailable } from '@/components/streams/go-live/unavailable';
import { PageHeader } from '@/components/ui/page-header';
import { useHydrated } from '@/components/ui/use-hydrated';
import type { Addresses } from '@/lib/client/queries/addresses';
import type { Stream } from '@/lib/contract/streams/stream';
import { OneStream, StreamSkeleton } from '../one-stream';

export function GoLiveView({ id }: { id: string }) {
  // The capabilities of the browser are unknown during server rendering.
  const isHydrated = useHydrated();
  if (!isHydrated) return <StreamSkeleton />;
  return (
    <OneStream id={id}>
      {(stream, addresses) => <OwnStream stream={stream} addresses={addresses} />}
    </OneStream>
  );
}

function OwnStream({ stream, addresses }: { stream: Stream; addresses: Addresses }) {
  const t = useTranslations('goLive.page');
  const { streamKey } = stream;
  const { whip } = addresses;
  const obstacle = obstacleOf(whip, streamKey);
  if (obstacle !== null || whip === null || !streamKey) {
    return (
      <>
        <PageHeader title={t('title', { name: stream.name })} />
        <Unavailable obstacle={obstacle ?? 'noKey'} streamId={stream.id} />
      </>
    );
  }
  return <GoLive stream={stream} addresses={addresses} endpoint={{ url: whip, streamKey }} />;
}
