import Link from 'next/link';
import { useLocale, useTranslations } from 'use-intl';
import { useAudience } from '@/lib/client/queries/audience-queries';
import type { Audience } from '@/lib/contract/audience/audience';
import { HomePanel, PanelLink } from './home-panel';
import { formatWatchTime } from './home-text';

const REFRESH_INTERVAL_MS = 60_000;
const MAX_ROWS = 3;
/** Seven and fourteen days, for the query of the API. */
const WEEK_MINUTES = '10080';
const FORTNIGHT_MINUTES = '20160';
const listPaths = { stream: '/streams', session: '/sessions', asset: '/assets' } as const;

/** Watch time of the last seven days. Renders nothing without viewers or measurements. */
export function WatchTimePanel({ className }: { className?: string }) {
  const week = useAudience({ minutes: WEEK_MINUTES }, REFRESH_INTERVAL_MS).data;
  const fortnight = useAudience({ minutes: FORTNIGHT_MINUTES }, REFRESH_INTERVAL_MS).data;
  if (!week || !fortnight || week.views === 0) return null;
  const previousWeekMinutes = fortnight.playedMinutes - week.playedMinutes;
  return <WatchedPanel week={week} previousWeekMinutes={previousWeekMinutes} className={className} />;
}

interface WatchedPanelProps {
  week: Audience;
  /** Minutes watched in the seven days before. */
  previousWeekMinutes: number;
  className: string | undefined;
}

function WatchedPanel({ week, previousWeekMinutes, className }: WatchedPanelProps) {
  const t = useTranslations('home.watched');
  const language = useLocale();
  const changePercent =
    previousWeekMinutes > 0 ? Math.round((week.playedMinutes / previousWeekMinutes - 1) * 100) : null;
  const summary = t('sum', {
    time: formatWatchTime(week.playedMinutes, language),
    views: week.views,
    change: changePercent === null ? 'none' : changePercent < 0 ? 'less' : 'more',
    percent: Math.abs(changePercent ?? 0),
  });
  return (
    <HomePanel
      title={t('title')}
      className={className}
      action={<PanelLink href="/audience">{t('audience')}</PanelLink>}
    >
      <p className="text-ink-2 -mt-1 px-4 pb-2 text-xs">{summary}</p>
      <ul className="divide-y border-t">
        {week.top.slice(0, MAX_ROWS).map(({ type, id, name, views, playedMinutes }) => (
          <li
            key={id}
            className="hover:bg-hover relative flex min-h-9 items-center gap-4 px-4 py-1 pointer-coarse:min-h-11"
          >
            <Link
              href={`${listPaths[type]}/${id}`}
              title={name}
              className="min-w-0 flex-1 truncate rounded-sm text-sm font-medium after:absolute after:inset-0"
            >
              {name}
            </Link>
            <span className="text-ink-2 shrink-0 text-xs tabular-nums">
              {t('views', { views })} · {formatWatchTime(playedMinutes, language)}
            </span>
          </li>
        ))}
      </ul>
    </HomePanel>
  );
}
