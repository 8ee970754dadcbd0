import Link from 'next/link';
import { useTranslations } from 'use-intl';
import { Panel } from '@/components/ui/panel';
import { formatDuration } from '@/components/ui/time-text';
import { useAudience } from '@/lib/client/queries/audience-queries';
import type { Audience } from '@/lib/contract/audience/audience';

const REFRESH_INTERVAL_MS = 60_000;
const MAX_ROWS = 4;
const listPaths = { stream: '/streams', session: '/sessions', asset: '/assets' } as const;

/** Watch time of the last seven days. Renders nothing without viewers or measurements. */
export function WatchTimePanel() {
  const week = useAudience({ minutes: '10080' }, REFRESH_INTERVAL_MS).data;
  const fortnight = useAudience({ minutes: '20160' }, REFRESH_INTERVAL_MS).data;
  if (!week || !fortnight || week.views === 0) return null;
  return <WatchedPanel week={week} previousWeekMinutes={fortnight.playedMinutes - week.playedMinutes} />;
}

/** @param previousWeekMinutes minutes watched in the seven days before */
function WatchedPanel({ week, previousWeekMinutes }: { week: Audience; previousWeekMinutes: number }) {
  const t = useTranslations('home.watched');
  const change =
    previousWeekMinutes > 0 ? Math.round((week.playedMinutes / previousWeekMinutes - 1) * 100) : null;
  return (
    <Panel
      dense
      title={t('title')}
      description={t('sum', {
        time: formatDuration(week.playedMinutes * 60),
        views: week.views,
        change: change === null ? 'none' : change < 0 ? 'less' : 'more',
        percent: Math.abs(change ?? 0),
      })}
      action={
        <Link
          href="/audience"
          className="text-accent-ink rounded-sm font-medium whitespace-nowrap underline-offset-4 hover:underline"
        >
          {t('audience')}
        </Link>
      }
    >
      <ul className="-my-2 divide-y">
        {week.top.slice(0, MAX_ROWS).map(({ type, id, name, views, playedMinutes }) => (
          <li key={id} className="relative flex min-h-10 items-center gap-4 py-1">
            <Link
              href={`${listPaths[type]}/${id}`}
              className="min-w-0 flex-1 truncate rounded-sm font-medium underline-offset-4 after:absolute after:inset-0 hover:underline"
            >
              {name}
            </Link>
            <span className="text-ink-2 shrink-0 text-sm tabular-nums">
              {t('views', { views })} · {formatDuration(playedMinutes * 60)}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
