import Link from 'next/link';
import { useLocale, useTranslations } from 'use-intl';
import { formatSize } from '@/components/ui/figures';
import { Cell, Column, Row, Table } from '@/components/ui/table/table';
import type { Usage } from '@/lib/contract/accounts/usage';
import { formatMinutes, usageKinds, type UsageDay } from './usage-figures';

type DeliveredFigures = Pick<UsageDay, 'deliveredMinutes' | 'deliveredBytes'>;

const numberClasses = 'text-sm whitespace-nowrap tabular-nums sm:text-right';

/** Usage per day, newest first. */
export function DayTable({ days }: { days: readonly UsageDay[] }) {
  const t = useTranslations('usage.usageTables');
  const tKinds = useTranslations('usage.kinds');
  const locale = useLocale();
  return (
    <Table
      label={t('minutesPerDay')}
      head={
        <>
          <Column>{t('dayUtc')}</Column>
          {usageKinds.map((kind) => (
            <Column key={kind} className="text-right">
              {tKinds(kind)}
            </Column>
          ))}
          <Column className="text-right">{t('delivered')}</Column>
          <Column className="text-right">{t('bytesDelivered')}</Column>
        </>
      }
    >
      {[...days].reverse().map((day) => (
        <Row key={day.date}>
          <Cell className="font-mono text-sm sm:h-10">{day.date}</Cell>
          {usageKinds.map((kind) => (
            <Cell key={kind} label={tKinds(kind)} className={`${numberClasses} sm:h-10`}>
              {t('minutes', { minutes: formatMinutes(locale, day[kind]) })}
            </Cell>
          ))}
          <Delivered figures={day} className="sm:h-10" />
        </Row>
      ))}
    </Table>
  );
}

/** Usage per stream. */
export function StreamUsageTable({ streams }: { streams: Usage['streams'] }) {
  const t = useTranslations('usage.usageTables');
  const tKinds = useTranslations('usage.kinds');
  const locale = useLocale();
  return (
    <Table
      label={t('minutesByStream')}
      head={
        <>
          <Column>{t('stream')}</Column>
          <Column className="text-right">{tKinds('ingestedMinutes')}</Column>
          <Column className="text-right">{tKinds('transcodedMinutes')}</Column>
          <Column className="text-right">{t('delivered')}</Column>
          <Column className="text-right">{t('bytesDelivered')}</Column>
        </>
      }
    >
      {streams.map((stream) => (
        <Row key={stream.id}>
          <Cell className="font-medium wrap-anywhere">
            {stream.deleted ? (
              <>
                {stream.name} <span className="text-ink-3 font-normal">{t('deleted')}</span>
              </>
            ) : (
              <Link href={`/streams/${stream.id}`} className="rounded-sm underline-offset-2 hover:underline">
                {stream.name}
              </Link>
            )}
          </Cell>
          <Cell label={tKinds('ingestedMinutes')} className={numberClasses}>
            {t('minutes', { minutes: formatMinutes(locale, stream.ingestedMinutes) })}
          </Cell>
          <Cell label={tKinds('transcodedMinutes')} className={numberClasses}>
            {t('minutes', { minutes: formatMinutes(locale, stream.transcodedMinutes) })}
          </Cell>
          <Delivered figures={stream} />
        </Row>
      ))}
    </Table>
  );
}

/** Minutes and bytes sent to viewers. */
function Delivered({ figures, className = '' }: { figures: DeliveredFigures; className?: string }) {
  const t = useTranslations('usage.usageTables');
  const locale = useLocale();
  return (
    <>
      <Cell label={t('delivered')} className={`${numberClasses} ${className}`}>
        {t('minutes', { minutes: formatMinutes(locale, figures.deliveredMinutes) })}
      </Cell>
      <Cell label={t('bytesDelivered')} className={`${numberClasses} ${className}`}>
        {formatSize(figures.deliveredBytes, locale)}
      </Cell>
    </>
  );
}
