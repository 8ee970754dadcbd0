'use client';

import { toast } from 'sonner';
import { Monitor } from '@/components/home/monitor';
import { RecentStreams } from '@/components/home/recent-streams';
import { LoadFailed } from '@/components/ui/empty-state';
import { PageHeader } from '@/components/ui/page-header';
import { Skeleton } from '@/components/ui/skeleton';
import { useApiKeys, useCreateStream, useStreams } from '@/lib/client/queries/stream-queries';
import type { Stream } from '@/lib/contract/streams/stream';
import { FirstSteps } from '@/components/home/first-steps';
import { useAddresses, type Addresses } from '@/lib/client/queries/addresses';
import { newestStreams } from './_data/newest-streams';

const REFRESH_MS = 2000;

export function HomeView() {
  const streams = useStreams(newestStreams, { refetchInterval: REFRESH_MS });
  const keys = useApiKeys();
  const addresses = useAddresses();
  const create = useCreateStream();
  const newest = streams.data?.items[0];
  const onAir = Boolean(newest?.isActive || newest?.lastSeen);

  return (
    <>
      <PageHeader
        title={onAir ? 'Home' : 'Go live in three steps'}
        description={onAir ? 'Your newest stream and next steps.' : 'Go live in under a minute.'}
      />
      {streams.isError && !streams.data ? (
        <LoadFailed what="Your streams" error={streams.error} onRetry={() => void streams.refetch()} />
      ) : !streams.data || !addresses ? (
        <HomeSkeleton />
      ) : (
        <div className="grid items-start gap-x-10 gap-y-8 xl:grid-cols-[minmax(0,1fr)_26rem]">
          {/* In the order of a narrow window, in which the page also arrives: nothing is pushed down by what comes later. */}
          <div className="grid min-w-0 gap-6 xl:sticky xl:top-10 xl:col-start-2 xl:row-start-1">
            <Monitor stream={monitored(newest, addresses)} />
            {streams.data.items.length > 1 && <RecentStreams streams={streams.data.items} />}
          </div>
          <div className="min-w-0 xl:col-start-1 xl:row-start-1">
            <FirstSteps
              stream={newest}
              addresses={addresses}
              hasKey={(keys.data?.length ?? 0) > 0}
              creating={create.isPending}
              onCreate={() =>
                create.mutate(
                  { name: 'My first stream', record: true },
                  {
                    onError: (error) =>
                      toast.error('Couldn’t create the stream', { description: error.message }),
                  },
                )
              }
            />
          </div>
        </div>
      )}
    </>
  );
}

function monitored(stream: Stream | undefined, addresses: Addresses) {
  if (!stream) return null;
  return {
    name: stream.name,
    live: stream.isActive,
    everLive: stream.lastSeen > 0,
    playbackUrl: addresses.playbackUrl(stream.playbackId),
    poster: stream.isActive ? addresses.thumbnailUrl(stream.playbackId) : undefined,
  };
}

function HomeSkeleton() {
  return (
    <div
      aria-busy="true"
      aria-label="Loading"
      className="grid items-start gap-x-10 gap-y-8 xl:grid-cols-[minmax(0,1fr)_26rem]"
    >
      <Skeleton className="aspect-video w-full rounded-lg xl:col-start-2 xl:row-start-1" />
      <Skeleton className="h-[30rem] w-full rounded-lg xl:col-start-1 xl:row-start-1" />
    </div>
  );
}
