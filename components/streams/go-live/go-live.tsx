'use client';

import { ExternalLink } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { watchUrl } from '@/components/player/pages/share-links';
import { Button } from '@/components/ui/button';
import { useAskBeforeLeaving } from '@/components/ui/leave-guard';
import { Notice } from '@/components/ui/notice';
import { ObjectHeader } from '@/components/ui/page-header';
import { StatusPill, type StatusTone } from '@/components/ui/status-pill';
import { formatDuration } from '@/components/ui/time-text';
import type { PublicUrls } from '@/lib/client/queries/public-urls';
import { useTestPatternState } from '@/lib/client/queries/stream-queries';
import type { PublisherSnapshot } from '@/lib/client/whip/publisher';
import type { WhipEndpoint } from '@/lib/client/whip/whip-connection';
import type { Stream } from '@/lib/contract/streams/stream';
import { isOnAir, type PublisherState } from '@/lib/core/streams/go-live/publisher-state';
import { ConnectionTest } from './connection-test';
import { GoLiveControls } from './controls';
import { FiguresPanel } from './figures-panel';
import { PublishPreview } from './preview';
import { QualityPanel } from './quality-panel';
import { AudioMeter } from './audio-meter';
import { SourcesPanel } from './sources-panel';
import { usePublisher, useWakeLock } from './use-publisher';

const tones: Readonly<Record<PublisherState, StatusTone>> = {
  idle: 'idle',
  requesting: 'idle',
  previewing: 'accent',
  connecting: 'accent',
  live: 'live',
  reconnecting: 'warn',
  ended: 'idle',
};

interface GoLiveContentProps {
  stream: Stream;
  urls: PublicUrls;
  endpoint: WhipEndpoint;
}

/** Page that publishes to a stream from this browser: preview and controls, with settings and measurements beside them. */
export function GoLiveContent({ stream, urls, endpoint }: GoLiveContentProps) {
  const t = useTranslations('goLive.controls');
  const { publisher, snapshot } = usePublisher();
  const { state } = snapshot;
  const isLive = isOnAir(state);
  useAskBeforeLeaving(isLive);
  useWakeLock(isLive);
  // An encoder replaces the test pattern, so a test pattern does not block going live.
  const isTestPatternRunning = useTestPatternState(stream.id).data?.running ?? false;
  // The server needs a moment to notice that this browser has stopped. After a session of this page, a live stream
  // therefore does not count as live elsewhere.
  const isLiveElsewhere =
    stream.isActive &&
    !isTestPatternRunning &&
    !isLive &&
    state !== 'connecting' &&
    snapshot.liveSeconds === null;
  const obstacle = stream.suspended ? t('suspended') : isLiveElsewhere ? t('alreadyLive') : null;
  const hasMeter = state !== 'idle' && state !== 'requesting' && state !== 'ended';
  return (
    <>
      <GoLiveHeader stream={stream} urls={urls} snapshot={snapshot} />
      <div className="grid items-start gap-5 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid min-w-0 gap-5 max-xl:contents">
          <div className="grid min-w-0 gap-3">
            <PublishPreview publisher={publisher} snapshot={snapshot} streamId={stream.id} />
            {hasMeter && (
              <AudioMeter
                readPeak={publisher.peak}
                hasMicrophone={snapshot.hasMicrophone}
                muted={snapshot.isAudioOff}
              />
            )}
            <GoLiveControls
              publisher={publisher}
              snapshot={snapshot}
              obstacle={obstacle}
              onGoLive={() => publisher.goLive(endpoint)}
            />
            <Problems snapshot={snapshot} />
          </div>
          <ConnectionTest
            endpoint={endpoint}
            disabled={stream.isActive || isLive || state === 'connecting'}
            // The panel comes last on narrow screens.
            className="max-xl:order-last"
          />
        </div>
        <div className="grid min-w-0 gap-3">
          {isLive && <FiguresPanel figures={snapshot.figures} />}
          <SourcesPanel publisher={publisher} snapshot={snapshot} />
          <QualityPanel
            quality={snapshot.quality}
            isConnected={isLive || state === 'connecting'}
            onChange={(quality) => void publisher.setQuality(quality)}
          />
        </div>
      </div>
    </>
  );
}

interface GoLiveHeaderProps extends Omit<GoLiveContentProps, 'endpoint'> {
  snapshot: PublisherSnapshot;
}

function GoLiveHeader({ stream, urls, snapshot: { state, liveSeconds } }: GoLiveHeaderProps) {
  const t = useTranslations('goLive');
  return (
    <ObjectHeader
      back={{ href: `/streams/${stream.id}`, label: t('page.back') }}
      title={t('page.title', { name: stream.name })}
      description={
        <span className="flex min-h-8 flex-wrap items-center gap-x-4 gap-y-1">
          <span role="status">
            <StatusPill tone={tones[state]}>{t(`state.${state}`)}</StatusPill>
          </span>
          {isOnAir(state) && (
            <span className="tabular-nums">
              {t('page.liveFor', { time: formatDuration(liveSeconds ?? 0) })}
            </span>
          )}
        </span>
      }
      action={
        <Button asChild className="max-sm:px-3">
          <a href={watchUrl(urls.baseUrl, stream.playbackId)} target="_blank" rel="noreferrer">
            <span className="max-sm:sr-only">{t('page.watchPage')}</span>
            <ExternalLink aria-hidden="true" />
          </a>
        </Button>
      }
    />
  );
}

/** Current problems of the connection and of the camera, microphone or screen, with instructions. */
function Problems({ snapshot }: { snapshot: PublisherSnapshot }) {
  const t = useTranslations('goLive.problem');
  const { state, captureProblem, connectionProblem } = snapshot;
  const connection = () => {
    if (state === 'reconnecting') return t('reconnecting');
    if (connectionProblem === null || state === 'idle' || state === 'requesting') return null;
    return state === 'ended' ? `${t('gaveUp')} ${t(connectionProblem)}` : t(connectionProblem);
  };
  const texts = [connection(), captureProblem && t(captureProblem)].filter((text) => text !== null);
  return (
    <div role="alert" className="grid gap-2 empty:hidden">
      {texts.map((text) => (
        <Notice key={text}>{text}</Notice>
      ))}
    </div>
  );
}
