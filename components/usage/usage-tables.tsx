import Link from 'next/link';
import { sizeInWords } from '@/components/ui/time-words';
import { Cell, Column, Row, Table } from '@/components/ui/table/table';
import type { Usage } from '@/lib/contract/accounts/usage';
import { minutesInWords, usageKinds, type UsageDay } from './usage-figures';

type DeliveredFigures = Pick<UsageDay, 'deliveredMinutes' | 'deliveredBytes'>;

const number = 'font-mono text-sm sm:text-right';

/** What the chart shows, in numbers: the newest day first. */
export function DayTable({ days }: { days: readonly UsageDay[] }) {
  return (
    <Table
      label="Minutes per day"
      head={
        <>
          <Column>Day (UTC)</Column>
          {usageKinds.map(({ key, label }) => (
            <Column key={key} className="text-right">
              {label}
            </Column>
          ))}
          <Column className="text-right">Delivered</Column>
          <Column className="text-right">Bytes delivered</Column>
        </>
      }
    >
      {[...days].reverse().map((day) => (
        <Row key={day.date}>
          <Cell className="font-mono text-sm sm:h-10">{day.date}</Cell>
          {usageKinds.map(({ key, label }) => (
            <Cell key={key} label={label} className={`${number} sm:h-10`}>
              {minutesInWords(day[key])}
            </Cell>
          ))}
          <Delivered of={day} className="sm:h-10" />
        </Row>
      ))}
    </Table>
  );
}

export function StreamUsageTable({ streams }: { streams: Usage['streams'] }) {
  return (
    <Table
      label="Minutes by stream"
      head={
        <>
          <Column>Stream</Column>
          <Column className="text-right">Live, received</Column>
          <Column className="text-right">Transcoded</Column>
          <Column className="text-right">Delivered</Column>
          <Column className="text-right">Bytes delivered</Column>
        </>
      }
    >
      {streams.map((stream) => (
        <Row key={stream.id}>
          <Cell className="font-medium wrap-anywhere">
            {stream.deleted ? (
              <>
                {stream.name} <span className="text-ink-3 font-normal">(deleted)</span>
              </>
            ) : (
              <Link href={`/streams/${stream.id}`} className="rounded-sm underline-offset-2 hover:underline">
                {stream.name}
              </Link>
            )}
          </Cell>
          <Cell label="Live, received" className={number}>
            {minutesInWords(stream.ingestedMinutes)}
          </Cell>
          <Cell label="Transcoded" className={number}>
            {minutesInWords(stream.transcodedMinutes)}
          </Cell>
          <Delivered of={stream} />
        </Row>
      ))}
    </Table>
  );
}

/** Minutes and bytes that were sent to viewers. */
function Delivered({ of, className = '' }: { of: DeliveredFigures; className?: string }) {
  return (
    <>
      <Cell label="Delivered" className={`${number} ${className}`}>
        {minutesInWords(of.deliveredMinutes)}
      </Cell>
      <Cell label="Bytes delivered" className={`${number} whitespace-nowrap ${className}`}>
        {sizeInWords(of.deliveredBytes)}
      </Cell>
    </>
  );
}
