import { useLocale, useTranslations } from 'use-intl';
import { Cell, Column, Row, Table } from '@/components/ui/table/table';
import { useTimeFormat } from '@/components/ui/time/time-settings';
import type { Audience } from '@/lib/contract/audience/audience';
import { coversDays, formatMilliseconds, formatShare } from './audience-text';

/** The values of the charts as a table, newest first; points without viewers are omitted. */
export function ChartsTable({ audience }: { audience: Audience }) {
  const t = useTranslations('audience.charts');
  const language = useLocale();
  const { time, dayAndTime } = useTimeFormat();
  const formatTime = coversDays(audience) ? dayAndTime : time;
  const formatMs = (ms: number | null) => (ms === null ? '–' : formatMilliseconds(ms, language));
  return (
    <details className="mt-2">
      <summary className="text-ink-2 hover:text-ink cursor-pointer rounded-sm text-sm">
        {t('showAsATable')}
      </summary>
      <div className="mt-3">
        <Table
          label={t('label')}
          head={['from', 'watching', 'startupMedian', 'startupP95', 'stalled'].map((name) => (
            <Column key={name}>{t(name as 'from')}</Column>
          ))}
        >
          {audience.points
            .filter(({ viewers, views }) => viewers > 0 || views > 0)
            .toReversed()
            .map((point) => (
              <Row key={point.at}>
                <Cell className="sm:h-10">{formatTime(point.at)}</Cell>
                <Cell label={t('watching')} className="sm:h-10">
                  {point.viewers.toLocaleString(language)}
                </Cell>
                <Cell label={t('startupMedian')} className="sm:h-10">
                  {formatMs(point.startupHalfMs)}
                </Cell>
                <Cell label={t('startupP95')} className="sm:h-10">
                  {formatMs(point.startupMostMs)}
                </Cell>
                <Cell label={t('stalled')} className="sm:h-10">
                  {formatShare(point.stalledShare, language)}
                </Cell>
              </Row>
            ))}
        </Table>
      </div>
    </details>
  );
}
