'use client';

import { Camera, MonitorUp, VideoOff } from 'lucide-react';
import Link from 'next/link';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/class-names';
import { formatDuration } from '@/components/ui/time-text';
import { canShareScreen } from '@/lib/client/whip/media-devices';
import type { Publisher, PublisherSnapshot } from '@/lib/client/whip/publisher';

interface PublishPreviewProps {
  publisher: Publisher;
  snapshot: PublisherSnapshot;
  streamId: string;
  className?: string;
}

/** Preview of the video that is published. Without video, a message or buttons for the next step replace it. */
export function PublishPreview({ publisher, snapshot, streamId, className }: PublishPreviewProps) {
  const t = useTranslations('goLive.preview');
  const { previewStream, isMirrored, isVideoOff } = snapshot;
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    if (video.current) video.current.srcObject = previewStream;
  }, [previewStream]);
  const hasVideo = previewStream !== null && !isVideoOff;
  return (
    <section
      aria-label={t('label')}
      // The background is black in both themes, as in the player.
      className={cn(
        'relative grid aspect-video max-h-[75dvh] place-items-center justify-self-stretch overflow-hidden rounded-lg bg-black max-sm:-mx-4 max-sm:rounded-none',
        className,
      )}
    >
      <video
        ref={video}
        autoPlay
        muted
        playsInline
        aria-label={t('label')}
        className={cn('size-full object-contain', isMirrored && '-scale-x-100', !hasVideo && 'hidden')}
      />
      {!hasVideo && <WithoutVideo publisher={publisher} snapshot={snapshot} streamId={streamId} />}
    </section>
  );
}

function WithoutVideo({ publisher, snapshot, streamId }: Omit<PublishPreviewProps, 'className'>) {
  const t = useTranslations('goLive.preview');
  const { state, previewStream } = snapshot;
  if (state === 'ended') return <Ended publisher={publisher} snapshot={snapshot} streamId={streamId} />;
  if (state === 'idle') {
    return (
      <PreviewPlaceholder title={t('start')} text={t('startText')}>
        <Button
          variant="primary"
          className="max-sm:h-11"
          onClick={() => void publisher.openCameraAndMicrophone()}
        >
          <Camera aria-hidden="true" />
          {t('useCamera')}
        </Button>
        {canShareScreen() && (
          <Button className="max-sm:h-11" onClick={() => void publisher.startScreenShare()}>
            <MonitorUp aria-hidden="true" />
            {t('shareScreen')}
          </Button>
        )}
      </PreviewPlaceholder>
    );
  }
  // `requesting`, or a state with open devices (`previewing` to `reconnecting`): audio only, or video that is turned off.
  return (
    <p role="status" className="flex items-center gap-2 p-4 text-center text-white">
      {state === 'requesting' ? (
        t('requesting')
      ) : (
        <>
          <VideoOff aria-hidden="true" className="size-5 shrink-0" />
          {t(previewStream === null ? 'noVideo' : 'videoOff')}
        </>
      )}
    </p>
  );
}

/**
 * Duration of the ended session, with links to the sessions (with their recordings) and the overview of the stream, and a
 * button that opens camera and microphone again.
 */
function Ended({ publisher, snapshot: { liveSeconds }, streamId }: Omit<PublishPreviewProps, 'className'>) {
  const t = useTranslations('goLive.preview');
  return (
    <PreviewPlaceholder title={t('ended')} text={t('endedAfter', { time: formatDuration(liveSeconds ?? 0) })}>
      <Button asChild variant="primary" className="max-sm:h-11">
        <Link href={`/streams/${streamId}?tab=sessions`}>{t('toSessions')}</Link>
      </Button>
      <Button asChild className="max-sm:h-11">
        <Link href={`/streams/${streamId}`}>{t('toStream')}</Link>
      </Button>
      <Button className="max-sm:h-11" onClick={() => void publisher.openCameraAndMicrophone()}>
        {t('again')}
      </Button>
    </PreviewPlaceholder>
  );
}

function PreviewPlaceholder({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <div className="grid justify-items-center gap-4 p-4 text-center text-white">
      <div>
        <h2 className="text-lg font-semibold tracking-tight">{title}</h2>
        <p className="text-white/80">{text}</p>
      </div>
      <div className="flex flex-wrap justify-center gap-2">{children}</div>
    </div>
  );
}
