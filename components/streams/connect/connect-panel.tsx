'use client';

import { ChevronDown, Camera } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/class-names';
import { useFormattedNow } from '@/components/ui/relative-time';
import { formatNearTime } from '@/components/ui/time-text';
import { useTimeFormat } from '@/components/ui/time/time-settings';
import { IfPermitted } from '@/components/teams/use-team';
import { lazyTab } from '@/components/ui/lazy-tab';
import type { PublicUrls } from '@/lib/client/queries/public-urls';
import type { Stream } from '@/lib/contract/streams/stream';
import { EncoderSetup } from './encoder-setup';
import { PreviewButton } from './test-pattern';
import { RotateKeyButton } from './rotate-key';

const pullTab = lazyTab(async () => (await import('./pull-setup')).PullSetup, 'panel');
const srtTab = lazyTab(async () => (await import('./srt-setup')).SrtSetup, 'panel');
const whipTab = lazyTab(async () => (await import('./whip-setup')).WhipSetup, 'panel');

interface ConnectPanelProps {
  stream: Stream;
  urls: Pick<PublicUrls, 'rtmp' | 'rtmps' | 'srt' | 'whip'>;
  className?: string;
}

/** Instructions for connecting an encoder. Collapsed while the stream is live, unless the user opened or closed them. */
export function ConnectPanel({ stream, urls, className }: ConnectPanelProps) {
  const t = useTranslations('streams.connectPanel');
  // Whether the user opened the panel (true) or closed it (false); null: neither.
  const [userChoice, setUserChoice] = useState<boolean | null>(null);
  const isOpen = userChoice ?? !stream.isActive;
  const { streamKey } = stream;
  const { srt, whip } = urls;
  if (!streamKey) return null;
  return (
    <section
      aria-label={t('connectAnEncoder')}
      className={cn('bg-surface min-w-0 rounded-lg border', className)}
    >
      {/* The content stays mounted when collapsed: one of its dialogs may be open when the stream goes live. */}
      <details open={isOpen} className="group">
        <summary
          onClick={(event) => {
            event.preventDefault();
            setUserChoice(!isOpen);
          }}
          className="flex cursor-pointer list-none items-center justify-between gap-4 rounded-lg px-4 py-3 sm:px-6 sm:py-4 [&::-webkit-details-marker]:hidden"
        >
          <h2 className="text-lg font-semibold tracking-tight">{t('connectAnEncoder')}</h2>
          <ChevronDown
            aria-hidden="true"
            className="text-ink-3 size-4 shrink-0 transition-transform group-open:rotate-180"
          />
        </summary>
        <div className="grid gap-6 px-4 pb-4 sm:px-6 sm:pb-6">
          {stream.pull && <pullTab.Content stream={stream} />}
          <EncoderSetup
            urls={urls}
            streamKey={streamKey}
            name={stream.name}
            keyAction={<RotateKeyButton stream={stream} />}
            browserAction={<GoLiveLink id={stream.id} />}
            otherTabs={[
              ...(srt === null
                ? []
                : [
                    {
                      value: 'srt',
                      label: 'SRT',
                      onIntent: srtTab.prefetch,
                      content: <srtTab.Content stream={stream} streamKey={streamKey} srtUrl={srt} />,
                    },
                  ]),
              ...(whip === null
                ? []
                : [
                    {
                      value: 'whip',
                      label: 'WebRTC',
                      onIntent: whipTab.prefetch,
                      content: <whipTab.Content whipUrl={whip} streamKey={streamKey} />,
                    },
                  ]),
              ...(stream.pull
                ? []
                : [
                    {
                      value: 'pull',
                      label: t('pull'),
                      onIntent: pullTab.prefetch,
                      content: <pullTab.Content stream={stream} />,
                    },
                  ]),
            ]}
          />
        </div>
        {!stream.isActive && <ListeningRow stream={stream} />}
      </details>
    </section>
  );
}

/** Since when the service has been listening for an encoder, with a button that previews the stream without one. */
function ListeningRow({ stream }: { stream: Stream }) {
  const t = useTranslations('streams.connectPanel');
  const format = useTimeFormat();
  const { lastSeen, suspended } = stream;
  const since = useFormattedNow((now) => formatNearTime(lastSeen, now, format));
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 border-t px-4 py-3 sm:px-6 sm:py-4">
      <p className="text-ink-2 flex min-w-0 flex-1 basis-64 items-baseline gap-3 tabular-nums">
        <span aria-hidden="true" className="bg-ink-3 size-2 shrink-0 -translate-y-px rounded-full" />
        {suspended ? t('suspended') : lastSeen > 0 ? t('listeningSince', { time: since }) : t('listening')}
      </p>
      <IfPermitted>
        <PreviewButton stream={stream} />
      </IfPermitted>
    </div>
  );
}

/**
 * Link to the page that publishes from this browser. It loads a new document, because only the response of that page
 * allows camera, screen and microphone.
 */
function GoLiveLink({ id }: { id: string }) {
  const t = useTranslations('streams.connectPanel');
  return (
    <Button asChild className="justify-self-start max-sm:h-11">
      <a href={`/streams/${id}/go-live`}>
        <Camera aria-hidden="true" />
        {t('goLive')}
      </a>
    </Button>
  );
}
