'use client';

import { Radio, Users } from 'lucide-react';
import Link from 'next/link';
import { useLocale, useTranslations } from 'use-intl';
import { streamStatus } from '@/components/streams/stream-status';
import { currentIssuesOf } from '@/components/streams/health/issue-texts';
import { useTranslateMessage } from '@/components/i18n/reasons';
import { cn } from '@/components/ui/class-names';
import { formatBitrate } from '@/components/ui/figures';
import { asSentence } from '@/components/ui/form/server-messages';
import { StatusPill } from '@/components/ui/status-pill';
import { WideThumbnail } from '@/components/ui/thumbnail';
import type { Overview } from '@/lib/contract/accounts/overview';
import type { LiveStream } from '@/lib/contract/accounts/overview-live';
import { isHint } from '@/lib/core/streams/stream-doctor';
import { HomePanel, PanelLink } from './home-panel';
import { formatTimeOnAir } from './home-text';
import { PictureLabel } from './picture-label';

interface LiveStreamsPanelProps {
  live: Overview['live'];
  /** URL of the current thumbnail of a live stream; undefined until the URLs are known. */
  thumbnailUrlOf: (stream: LiveStream) => string | undefined;
  className?: string;
}

/** The most watched live streams with picture and figures, and a link to all; renders nothing if none is live. */
export function LiveStreamsPanel({ live, thumbnailUrlOf, className }: LiveStreamsPanelProps) {
  const t = useTranslations('home.overviewPanels');
  const { streams } = live;
  if (streams.length === 0) return null;
  const hiddenCount = live.count - streams.length;
  const isOnly = streams.length === 1;
  return (
    <HomePanel
      isBorderless
      title={t('liveNow')}
      note={!isOnly && t('sortedByViewers')}
      className={cn('@container', className)}
      action={
        <PanelLink href="/streams?status=live">
          {hiddenCount > 0 ? t('more', { more: hiddenCount }) : t('allLiveStreams')}
        </PanelLink>
      }
    >
      <ul
        className={cn(
          'grid gap-3',
          !isOnly && 'grid-cols-2 @lg:grid-cols-3',
          streams.length > 3 && '@2xl:grid-cols-4',
        )}
      >
        {streams.map((stream) => (
          <LiveCard key={stream.id} stream={stream} thumbnailUrl={thumbnailUrlOf(stream)} isOnly={isOnly} />
        ))}
      </ul>
    </HomePanel>
  );
}

interface LiveCardProps {
  stream: LiveStream;
  thumbnailUrl: string | undefined;
  /** Whether no other stream is live: the card gets the whole row. */
  isOnly: boolean;
}

function LiveCard({ stream, thumbnailUrl, isOnly }: LiveCardProps) {
  const t = useTranslations('home.overviewPanels');
  const tStatus = useTranslations('streams.status');
  const { id, name, targets } = stream;
  const isOnAir = stateOf(stream) === 'live';
  return (
    <li
      className={cn(
        'bg-surface relative grid min-w-0 content-start overflow-hidden rounded-lg border',
        isOnly && '@lg:grid-cols-2',
      )}
    >
      <div className="relative">
        <WideThumbnail src={thumbnailUrl} icon={Radio} />
        <span className="absolute top-2 left-2">
          {isOnAir ? (
            <span className="bg-danger rounded-sm px-1.5 py-0.5 text-xs font-semibold text-white uppercase">
              {tStatus('live')}
            </span>
          ) : (
            <StatusPill tone="warn">{tStatus('reconnecting')}</StatusPill>
          )}
        </span>
        <PictureLabel name={t('timeOnAir')}>{formatTimeOnAir(stream.onAirSeconds)}</PictureLabel>
      </div>
      <div className={cn('grid min-w-0 content-start gap-1.5 p-3', isOnly && '@lg:content-center @lg:px-5')}>
        <Link
          href={`/streams/${id}`}
          title={name}
          className={cn(
            'block truncate rounded-sm font-medium underline-offset-4 after:absolute after:inset-0 hover:underline',
            isOnly && '@lg:text-lg',
          )}
        >
          {name}
        </Link>
        <LiveFigures stream={stream} />
        {isOnly && targets && <p className="text-ink-2 text-sm">{t('targetsLive', { ...targets })}</p>}
        {isOnly && <FirstIssue stream={stream} />}
      </div>
    </li>
  );
}

/** `live`, or `reconnecting` while the stream waits for its encoder. */
const stateOf = ({ issues }: LiveStream) => streamStatus({ isActive: true, suspended: false, issues }).state;

/** Viewers, bitrate and health. The health wraps to the next line of a narrow card. */
function LiveFigures({ stream }: { stream: LiveStream }) {
  const t = useTranslations('home.overviewPanels');
  const language = useLocale();
  const { viewers, bitrate } = stream;
  return (
    <div className="live-figure text-ink-2 flex flex-wrap items-center gap-x-2.5 gap-y-1 text-sm tabular-nums">
      <span className="inline-flex items-center gap-1.5">
        <Users aria-hidden="true" className="size-4" />
        <b className="text-ink font-semibold" aria-hidden="true">
          {viewers.toLocaleString(language)}
        </b>
        <span className="sr-only">{t('viewers', { count: viewers })}</span>
      </span>
      {bitrate !== null && <span className="whitespace-nowrap">{formatBitrate(bitrate, language)}</span>}
      <span className="ml-auto empty:hidden">
        <Health stream={stream} />
      </span>
    </div>
  );
}

/** Renders nothing while the health is unknown, and while the label on the picture says that the encoder is away. */
function Health({ stream }: { stream: LiveStream }) {
  const t = useTranslations('home.overviewPanels');
  const { isHealthy, issues } = stream;
  if (isHealthy === null || stateOf(stream) !== 'live') return null;
  if (isHealthy) return <StatusPill tone="accent">{t('healthy')}</StatusPill>;
  const count = (issues ?? []).filter((issue) => !isHint(issue)).length;
  return <StatusPill tone="warn">{t('issues', { count: Math.max(1, count) })}</StatusPill>;
}

/** The first issue of the only live stream, as a sentence. */
function FirstIssue({ stream }: { stream: LiveStream }) {
  const translateMessage = useTranslateMessage();
  if (stream.isHealthy !== false) return null;
  const index = (stream.issues ?? []).findIndex((issue) => !isHint(issue));
  const message = currentIssuesOf({ ...stream, isActive: true }, translateMessage)[index];
  if (message === undefined) return null;
  return <p className="text-warn-ink line-clamp-2 text-sm">{asSentence(message)}</p>;
}
