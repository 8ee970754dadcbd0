'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { FirstSteps, setupProgress } from '@/components/home/first-steps';
import { StreamMonitor } from '@/components/home/monitor';
import { AttentionPanel } from '@/components/home/attention';
import { UpcomingBroadcastsPanel } from '@/components/home/coming-up';
import { LiveStreamsPanel, RecentAssetsPanel, TodayPanel } from '@/components/home/overview-panels';
import { WatchTimePanel } from '@/components/home/watched';
import { CreateStreamDialog } from '@/components/streams/list/create-stream';
import { useHasRole } from '@/components/teams/use-team';
import { LoadErrorMessage } from '@/components/ui/empty-state';
import { PageHeader } from '@/components/ui/page-header';
import { Skeleton } from '@/components/ui/skeleton';
import { useOverview } from '@/lib/client/queries/account-queries';
import { usePublicUrls, type PublicUrls } from '@/lib/client/queries/public-urls';
import { useAssets } from '@/lib/client/queries/asset-queries';
import { useCreateStream, useStreams } from '@/lib/client/queries/stream-queries';
import { useLiveThumbnails } from '@/lib/client/queries/stream-watch-queries';
import type { Overview } from '@/lib/contract/accounts/overview';
import type { Stream } from '@/lib/contract/streams/stream';
import { isRestricted } from '@/lib/core/access/playback-policy';
import { newestAssets, newestStreams } from './_data/newest';

const REFRESH_INTERVAL_MS = 2000;
const THUMBNAIL_INTERVAL_MS = 10_000;

export function HomeView() {
  const t = useTranslations('home.homeView');
  const overview = useOverview(REFRESH_INTERVAL_MS);
  const urls = usePublicUrls();
  if (overview.isError && !overview.data)
    return (
      <LoadErrorMessage
        subject={t('theOverview')}
        error={overview.error}
        onRetry={() => void overview.refetch()}
      />
    );
  if (!overview.data || !urls) return <HomeSkeleton />;
  return <Home overview={overview.data} now={overview.dataUpdatedAt} urls={urls} />;
}

interface HomeProps {
  overview: Overview;
  /** Time at which the overview was read, in Unix milliseconds. */
  now: number;
  urls: PublicUrls;
}

function Home({ overview, now, urls }: HomeProps) {
  const mayChange = useHasRole('developer');
  // The page keeps its layout while the first picture arrives.
  const [firstRun] = useState(mayChange && !overview.setup.videoReceived);
  return firstRun ? (
    <FirstRun setup={overview.setup} urls={urls} />
  ) : (
    <TeamHome overview={overview} now={now} urls={urls} />
  );
}

function TeamHome({ overview, now, urls }: HomeProps) {
  const t = useTranslations('home.homeView');
  const router = useRouter();
  const assets = useAssets(newestAssets, { refetchInterval: 5 * REFRESH_INTERVAL_MS }).data?.items;
  const thumbnailUrlOf = useLiveThumbnails(
    overview.live.streams,
    urls,
    Math.floor(now / THUMBNAIL_INTERVAL_MS),
  );
  return (
    <>
      <PageHeader
        title={t('home')}
        action={<CreateStreamDialog onCreated={(stream) => router.push(`/streams/${stream.id}`)} />}
      />
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid min-w-0 gap-4">
          <LiveStreamsPanel live={overview.live} thumbnailUrlOf={thumbnailUrlOf} />
          <AttentionPanel items={overview.attention} />
          <UpcomingBroadcastsPanel broadcasts={overview.coming} now={now} />
        </div>
        <div className="grid min-w-0 gap-4">
          {assets ? <RecentAssetsPanel assets={assets} /> : <Skeleton className="h-72 w-full rounded-lg" />}
          <TodayPanel today={overview.today} storedBytes={overview.storedBytes} />
          {/* The last panel, so that its data, which arrives late, moves no other panel. */}
          <WatchTimePanel />
        </div>
      </div>
    </>
  );
}

interface FirstRunProps {
  setup: Overview['setup'];
  urls: PublicUrls;
}

/** Home page until the first video is received: the setup steps, beside the player of the first stream. */
function FirstRun({ setup, urls }: FirstRunProps) {
  const t = useTranslations('home.homeView');
  const stream = useStreams(newestStreams, { refetchInterval: REFRESH_INTERVAL_MS }).data?.items[0];
  const { done: doneCount, total } = setupProgress(setup);
  return (
    <>
      <PageHeader title={t('getStarted')} description={t('completedSteps', { done: doneCount, total })} />
      <div className={firstRunGrid}>
        {/* In the order of a narrow window, which is also the order of loading: content that arrives later moves
           nothing. */}
        <div className="min-w-0 xl:sticky xl:top-10 xl:col-start-2 xl:row-start-1">
          <StreamMonitor stream={monitorSource(stream, urls)} />
        </div>
        <div className="min-w-0 xl:col-start-1 xl:row-start-1">
          <Steps setup={setup} stream={stream} urls={urls} />
        </div>
      </div>
    </>
  );
}

interface StepsProps extends FirstRunProps {
  stream: Stream | undefined;
}

function Steps({ setup, stream, urls }: StepsProps) {
  const t = useTranslations('home.homeView');
  const create = useCreateStream();
  return (
    <FirstSteps
      setup={setup}
      stream={stream}
      urls={urls}
      creating={create.isPending}
      onCreate={() =>
        create.mutate(
          { name: t('myFirstStream'), record: true },
          {
            onError: (error) => toast.error(t('notCreated'), { description: error.message }),
          },
        )
      }
    />
  );
}

function monitorSource(stream: Stream | undefined, urls: PublicUrls) {
  if (!stream) return null;
  // A restricted poster needs a token, which the player is about to request.
  const isPublic = !(stream.playbackPolicy && isRestricted(stream.playbackPolicy));
  return {
    id: stream.id,
    name: stream.name,
    live: stream.isActive,
    suspended: stream.suspended,
    issues: stream.issues,
    everLive: stream.lastSeen > 0,
    playbackUrl: urls.playbackUrl(stream.playbackId),
    poster: stream.isActive && isPublic ? urls.thumbnailUrl(stream.playbackId) : undefined,
  };
}

const firstRunGrid = 'grid items-start gap-x-10 gap-y-8 xl:grid-cols-[minmax(0,1fr)_26rem]';

function HomeSkeleton() {
  const t = useTranslations('home.homeView');
  return (
    <div aria-busy="true" aria-label={t('loading')} className={firstRunGrid}>
      <Skeleton className="aspect-video w-full rounded-lg xl:col-start-2 xl:row-start-1" />
      <Skeleton className="h-[30rem] w-full rounded-lg xl:col-start-1 xl:row-start-1" />
    </div>
  );
}
