'use client';

import { useTranslations } from 'use-intl';
import { cn } from '@/components/ui/class-names';
import { ClippablePlayer } from '@/components/clips/clippable-player';
import Countdown from '@/components/player/pages/countdown';
import { fromFirstPart } from '@/components/player/pages/embed-options';
import { watchUrl } from '@/components/player/pages/share-links';
import type { PublicUrls } from '@/lib/client/queries/public-urls';
import { useTestPatternState } from '@/lib/client/queries/stream-queries';
import { usePreviewUrl } from '@/lib/client/queries/stream-watch-queries';
import { isRestricted } from '@/lib/core/access/playback-policy';
import { dvrSecondsOf } from '@/lib/core/streams/dvr';
import { previewParameter } from '@/lib/core/access/shared-names';
import type { Stream } from '@/lib/contract/streams/stream';
import { LiveSessionTimeline } from '@/components/streams/session-timeline/session-timeline';
import { ConnectPanel } from '@/components/streams/connect/connect-panel';
import { ControlPanel } from '@/components/streams/control-panel/control-panel';
import { StreamHealthPanel } from '@/components/streams/health/health-panel';
import { PreparationPanel } from '@/components/streams/readiness/preparation-panel';
import { ViewerHistoryPanel } from '@/components/streams/viewers/viewers-panel';
import { usePublicStatus } from './use-public-status';

interface StreamOverviewProps {
  stream: Stream;
  urls: PublicUrls;
  /** Whether the health panel of a live stream is open. */
  healthOpen: boolean;
}

/**
 * Panels of a stream. While the stream is idle, connection instructions come first, with the player beside them. While
 * it is live, the player comes first, with inputs below it and targets and health beside it. The two layouts differ only
 * in CSS, so that the player and open dialogs keep their state.
 */
export function StreamOverview({ stream, urls, healthOpen }: StreamOverviewProps) {
  const t = useTranslations('streams.streamOverview');
  const { id, playbackId, isActive: live, suspended } = stream;
  const hasIssues = (stream.issues ?? []).length > 0;
  const previewUrl = usePreviewUrl(id, urls.playbackUrl(playbackId));
  const testPatternUrl = useTestPatternUrl(stream, urls);
  // The stream is live only after its first segment, so the player requests the playlist as soon as the test pattern
  // runs.
  const isTestPatternRunning = useTestPatternState(id).data?.running ?? false;
  const isRestrictedStream = isRestricted(stream.playbackPolicy ?? { type: 'public' });
  const src = testPatternUrl ?? previewUrl;
  // If no video is expected, the player shows the text that viewers see instead of the video.
  const isVideoExpected = testPatternUrl !== null || ((live || isTestPatternRunning) && !suspended);
  const publicStatus = usePublicStatus(stream, previewUrl && fromFirstPart(previewUrl));
  const { startsAt } = publicStatus;
  // The URL has the token of the playlist, which a restricted stream needs.
  const previewThumbnailUrl = previewUrl?.replace('index.m3u8', 'thumbnail.jpg');
  return (
    <div
      className={cn(
        'grid items-start gap-x-5 gap-y-5 xl:grid-rows-[auto_1fr] xl:gap-y-3',
        live ? 'xl:grid-cols-[minmax(0,1fr)_22rem]' : 'xl:grid-cols-[minmax(0,1fr)_28rem]',
      )}
    >
      <div
        className={cn(
          'grid min-w-0 gap-3 max-xl:contents',
          live ? 'xl:col-start-1 xl:row-span-2 xl:row-start-1' : 'xl:col-start-2 xl:row-start-1',
        )}
      >
        {!live && (
          <h2 className="text-base font-semibold max-xl:order-3 max-xl:-mb-3">
            {testPatternUrl === null ? t('whatViewersSee') : t('onlyTeamSeesPattern')}
          </h2>
        )}
        <ClippablePlayer
          source={live && stream.record ? { playbackId, times: 'dates', name: stream.name } : null}
          src={src && fromFirstPart(src)}
          dvrSeconds={testPatternUrl === null ? dvrSecondsOf(stream) : 0}
          live={isVideoExpected}
          poster={
            live ? (isRestrictedStream ? previewThumbnailUrl : urls.thumbnailUrl(playbackId)) : undefined
          }
          title={stream.name}
          waiting={isVideoExpected ? { title: t('waitingForVideo'), text: t('startsItself') } : undefined}
          publicStatus={isVideoExpected ? undefined : publicStatus}
          className={live ? 'max-xl:order-1' : 'max-xl:order-3'}
        />
        {!isVideoExpected && startsAt !== undefined && (
          <div className="max-xl:order-3 max-xl:-mt-3">
            <Countdown playbackId={playbackId} startsAt={startsAt} />
          </div>
        )}
        {!live && suspended && (
          <p className="text-ink-2 text-sm max-xl:order-3 max-xl:-mt-3">{t('howToResume')}</p>
        )}
        <ControlPanel stream={stream} className="max-xl:order-2" />
        <LiveSessionTimeline stream={stream} className="max-xl:order-7" />
      </div>
      <div
        className={cn(
          'grid min-w-0 gap-3 max-xl:contents xl:col-start-2',
          live ? 'xl:row-start-1' : 'xl:row-start-2',
        )}
      >
        {/* On a phone, a panel with a warning is above the targets, so that the warning is in view. */}
        <StreamHealthPanel
          stream={stream}
          open={healthOpen}
          className={live ? (hasIssues ? 'max-xl:order-3' : 'max-xl:order-5') : 'order-6'}
        />
        <PreparationPanel stream={stream} className="max-xl:order-4" />
      </div>
      <div
        className={cn(
          'grid min-w-0 gap-3 max-xl:contents',
          live ? 'xl:col-start-2 xl:row-start-2' : 'xl:col-start-1 xl:row-span-2 xl:row-start-1',
        )}
      >
        <ConnectPanel stream={stream} urls={urls} className={live ? 'order-8' : 'max-xl:order-2'} />
        <ViewerHistoryPanel
          id={id}
          live={live}
          watchUrl={watchUrl(urls.baseUrl, playbackId)}
          className="max-xl:order-6"
        />
      </div>
    </div>
  );
}

/** URL of the playlist of a test pattern that only the team sees; null without such a test pattern. */
function useTestPatternUrl({ id, isActive, suspended }: Stream, { playbackUrl }: PublicUrls): string | null {
  const patternPreview = useTestPatternState(id).data?.preview;
  if (!patternPreview || isActive || suspended) return null;
  return `${playbackUrl(patternPreview.playbackId)}?${previewParameter}=${patternPreview.token}`;
}
