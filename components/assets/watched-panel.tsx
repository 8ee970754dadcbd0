'use client';

import Link from 'next/link';
import type { ReactNode } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import { Panel } from '@/components/ui/panel';
import { formatDuration } from '@/components/ui/time-text';
import { useAssetUsage } from '@/lib/client/queries/asset-queries';
import { useAudience } from '@/lib/client/queries/audience-queries';

const REFRESH_INTERVAL_MS = 60_000;
const MINUTES_PER_30_DAYS = '43200';

/** Views, delivered time and stalls of an asset in the last 30 days. */
export function WatchedPanel({ id }: { id: string }) {
  const t = useTranslations('assets.watchedPanel');
  const language = useLocale();
  const usage = useAssetUsage(id).data;
  const audience = useAudience({ assetId: id, minutes: MINUTES_PER_30_DAYS }, REFRESH_INTERVAL_MS).data;
  const stalledText =
    audience?.measured && audience.playedMinutes > 0
      ? audience.stalledShare.toLocaleString(language, { style: 'percent', maximumFractionDigits: 1 })
      : t('notMeasured');
  return (
    <Panel
      dense
      title={t('title')}
      action={
        <Link
          href="?tab=audience"
          className="text-accent-ink rounded-sm font-medium whitespace-nowrap underline-offset-4 hover:underline"
        >
          {t('audience')}
        </Link>
      }
    >
      <dl className="grid grid-cols-3 gap-4">
        <Figure name={t('views')}>{usage?.views.toLocaleString(language)}</Figure>
        <Figure name={t('delivered')}>{usage && formatDuration(usage.deliveredMinutes * 60)}</Figure>
        <Figure name={t('stalled')}>{audience && stalledText}</Figure>
      </dl>
    </Panel>
  );
}

/** @param children undefined while loading; the figure keeps its height */
function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col-reverse justify-end">
      <dt className="text-ink-2 text-sm">{name}</dt>
      <dd className="min-h-7 text-xl font-semibold tabular-nums">{children}</dd>
    </div>
  );
}
