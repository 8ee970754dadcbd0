'use client';

import { useState } from 'react';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { FirstSteps, setupProgress } from '@/components/home/first-steps';
import { StreamMonitor } from '@/components/home/monitor';
import { AttentionPanel } from '@/components/home/attention';
import { NextStreamPanel, UpcomingStreamsPanel } from '@/components/home/coming-up';
import { HomeHeader } from '@/components/home/home-header';
import { LiveStreamsPanel } from '@/components/home/live-now';
import { RecentAssetsPanel } from '@/components/home/recent-assets';
import { SetupLine } from '@/components/home/setup-line';
import { TodayPanel } from '@/components/home/today';
import { WatchTimePanel } from '@/components/home/watched';
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
import { newestAssetsQuery, newestStreamQuery } from './_data/newest';

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
  // Decided once, so that the page keeps its layout when the first video is received.
  const [isFirstRun] = useState(mayChange && !overview.setup.videoReceived);
  return isFirstRun ? (
    <FirstRun setup={overview.setup} urls={urls} />
  ) : (
    <TeamHome overview={overview} now={now} urls={urls} />
  );
}

function TeamHome({ overview, now, urls }: HomeProps) {
  const assets = useAssets(newestAssetsQuery, { refetchInterval: 5 * REFRESH_INTERVAL_MS }).data?.items;
  const { live, attention, dismissed, coming, today, setup } = overview;
  const thumbnailUrlOf = useLiveThumbnails(live.streams, urls, Math.floor(now / THUMBNAIL_INTERVAL_MS));
  // While no stream is live, the next announced stream leads the page.
  const [nextStream, ...laterStreams] = live.count === 0 ? coming : [undefined, ...coming];
  // In one column, panels of both columns are mixed.
  return (
    <>
      <HomeHeader live={live} coming={coming} now={now} />
      <div className="grid items-start gap-5 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid min-w-0 gap-3 max-xl:contents">
          {nextStream && <NextStreamPanel stream={nextStream} now={now} className="max-xl:order-1" />}
          <LiveStreamsPanel live={live} thumbnailUrlOf={thumbnailUrlOf} className="max-xl:order-1" />
          <AttentionPanel
            items={attention}
            dismissed={dismissed ?? []}
            now={now}
            className="max-xl:order-2"
          />
          <RecentAssetsPanel assets={assets} className="max-xl:order-4" />
        </div>
        <div className="grid min-w-0 gap-3 max-xl:contents">
          <TodayPanel today={today} watching={live.viewers ?? 0} now={now} className="max-xl:order-5" />
          <UpcomingStreamsPanel
            streams={laterStreams.filter((stream) => stream !== undefined)}
            now={now}
            className="max-xl:order-3"
          />
          <SetupLine setup={setup} className="max-xl:order-7" />
          {/* The last panel, so that its data, which arrives late, moves no other panel. */}
          <WatchTimePanel className="max-xl:order-6" />
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
  const stream = useStreams(newestStreamQuery, { refetchInterval: REFRESH_INTERVAL_MS }).data?.items[0];
  const { done: doneCount, total } = setupProgress(setup);
  return (
    <>
      <PageHeader title={t('getStarted')} description={t('completedSteps', { done: doneCount, total })} />
      <div className={firstRunGrid}>
        {/* In the order of a narrow window, which is also the order of loading: content that arrives later moves
           nothing. */}
        <div className="min-w-0 xl:sticky xl:top-10 xl:col-start-2 xl:row-start-1">
          <StreamMonitor stream={createMonitorSource(stream, urls)} />
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
  const creation = useCreateStream();
  return (
    <FirstSteps
      setup={setup}
      stream={stream}
      urls={urls}
      creating={creation.isPending}
      onCreate={() =>
        creation.mutate(
          { name: t('myFirstStream'), record: true },
          {
            onError: (error) => toast.error(t('notCreated'), { description: error.message }),
          },
        )
      }
    />
  );
}

/** Describes what the monitor plays; null without a stream. */
function createMonitorSource(stream: Stream | undefined, urls: PublicUrls) {
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
