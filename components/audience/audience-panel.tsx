'use client';

import { Users } from 'lucide-react';
import Link from 'next/link';
import { Suspense, lazy, useState } from 'react';
import { useTranslations } from 'use-intl';
import { reportUrl } from '@/components/player/video/report-url';
import { EmptyState, LoadErrorMessage } from '@/components/ui/empty-state';
import { FilterChips } from '@/components/ui/form/chips';
import { Skeleton } from '@/components/ui/skeleton';
import { useAudience } from '@/lib/client/queries/audience-queries';
import type { Audience } from '@/lib/contract/audience/audience';
import { StallCausesPanel } from './audience-causes';
import { AudienceFigures } from './audience-figures';
import { AudienceShares, TopWatchedTable } from './audience-shares';
import { type AudienceScope, type SpanName, audienceSpans } from './audience-text';
import { ChartsTable } from './charts-table';

const AudienceCharts = lazy(() => import('./audience-charts'));

const REFRESH_INTERVAL_MS = 5_000;
/** Points that cover many minutes change slowly. */
const SLOW_REFRESH_INTERVAL_MS = 60_000;

interface AudiencePanelProps {
  scope: AudienceScope;
  /** URL of the playlist, for code samples of other players. */
  playlist?: string | undefined;
}

/** Viewers, their playback quality, and causes of stalls. */
export function AudiencePanel({ scope, playlist }: AudiencePanelProps) {
  const t = useTranslations('audience.page');
  const spans = audienceSpans.filter(({ minutes }) => minutes !== null || scope.sessionId !== undefined);
  const [spanName, setSpanName] = useState<SpanName>(spans[0]?.name ?? 'hour');
  const minutes = audienceSpans.find((span) => span.name === spanName)?.minutes ?? null;
  const changesOften = spanName === 'session' || spanName === 'hour';
  const { data, error, refetch } = useAudience(
    { ...scope, ...(minutes === null ? {} : { minutes }) },
    changesOften ? REFRESH_INTERVAL_MS : SLOW_REFRESH_INTERVAL_MS,
  );
  if (error && !data)
    return <LoadErrorMessage subject={t('theAudience')} error={error} onRetry={() => void refetch()} />;
  return (
    <div className="grid gap-3">
      <FilterChips
        label={t('time')}
        value={spanName}
        options={spans.map((span) => ({ value: span.name, label: t(`span.${span.name}`) }))}
        onChange={(value) => setSpanName(spans.find((span) => span.name === value)?.name ?? 'hour')}
      />
      {data ? <AudienceContent audience={data} playlist={playlist} /> : <AudienceSkeleton />}
    </div>
  );
}

interface AudienceContentProps {
  audience: Audience;
  playlist: string | undefined;
}

function AudienceContent({ audience, playlist }: AudienceContentProps) {
  const isEmpty = audience.views === 0 && audience.viewers === 0 && audience.playedMinutes === 0;
  if (isEmpty) return <NoAudience isMeasured={audience.measured} playlist={playlist} />;
  return (
    <>
      <AudienceFigures audience={audience} />
      <div className="grid items-start gap-3 lg:grid-cols-[minmax(0,1fr)_18.75rem]">
        {/* In one column the descriptions follow the charts. */}
        <div className="grid min-w-0 gap-3 max-lg:contents">
          <div className="bg-surface min-w-0 rounded-lg border px-4 pt-3 pb-2">
            <Suspense fallback={<Skeleton className="h-[28rem] w-full" />}>
              <AudienceCharts audience={audience} />
            </Suspense>
            <ChartsTable audience={audience} />
          </div>
          <TopWatchedTable top={audience.top} />
        </div>
        <div className="grid min-w-0 gap-3 max-lg:order-1">
          <StallCausesPanel audience={audience} />
          <AudienceShares audience={audience} />
        </div>
      </div>
    </>
  );
}

function NoAudience({ isMeasured, playlist }: { isMeasured: boolean; playlist: string | undefined }) {
  const t = useTranslations('audience.empty');
  if (!isMeasured) {
    return (
      <EmptyState title={t('off')}>
        {t.rich('offText', {
          link: (text) => (
            <Link href="/settings#viewer-pages" className="text-accent-ink underline underline-offset-2">
              {text}
            </Link>
          ),
        })}
      </EmptyState>
    );
  }
  const reportTarget = reportUrl(playlist ?? 'https://origin.example.com/hls/PLAYBACK_ID/index.m3u8');
  // CMCD version 2 events: `ps` = play state changed, `e` = error, `t` = time interval.
  const code = [
    `const eventTargets = [{ url: '${reportTarget}', events: ['ps', 'e', 't'] }];`,
    'const hls = new Hls({ cmcd: { version: 2, includeKeys: [], eventTargets } });',
  ].join('\n');
  return (
    <EmptyState title={t('none')} icon={Users} command={{ label: t('command'), code }}>
      {t('noneText')}
    </EmptyState>
  );
}

function AudienceSkeleton() {
  const t = useTranslations('audience.page');
  return (
    <div aria-busy="true" aria-label={t('loading')} className="grid gap-3">
      <Skeleton className="h-20 w-full rounded-lg" />
      <div className="grid gap-3 lg:grid-cols-[minmax(0,1fr)_18.75rem]">
        <Skeleton className="h-[31rem] w-full rounded-lg" />
        <Skeleton className="h-64 w-full rounded-lg" />
      </div>
    </div>
  );
}
