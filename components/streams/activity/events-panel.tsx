'use client';

import Link from 'next/link';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { cn } from '@/components/ui/class-names';
import { Panel } from '@/components/ui/panel';
import { RelativeTime } from '@/components/ui/relative-time';
import { Skeleton } from '@/components/ui/skeleton';
import type { StatusTone } from '@/components/ui/status-pill';
import { ListPager } from '@/components/ui/table/list-controls';
import type { StreamEvent } from '@/lib/contract/webhooks/event-endpoints';
import { useRecentEvents } from './activity-queries';
import { describeDeliveries, describeEvent } from './event-text';
import { useTranslateMessage } from '@/components/i18n/reasons';

interface EventsPanelProps {
  /** Undefined while loading. */
  events: readonly StreamEvent[] | undefined;
  /** Page controls. */
  pager: ReactNode;
}

const dotColors: Record<StatusTone, string> = {
  live: 'bg-live',
  idle: 'bg-ink-3',
  warn: 'bg-warn-ink',
  accent: 'bg-accent',
};

/** Events of a stream with their deliveries, newest first. */
function EventsPanel({ events, pager }: EventsPanelProps) {
  const t = useTranslations('streams.eventsPanel');
  if (events?.length === 0) return <p className="text-ink-2">{t('noEvents')}</p>;
  return (
    <Panel title={t('events')}>
      {!events ? (
        <Skeleton className="h-24 w-full" />
      ) : (
        <>
          <ol aria-label={t('events')} className="grid">
            {events.map((event, index) => (
              <EventItem key={event.id} event={event} isLast={index === events.length - 1} />
            ))}
          </ol>
          {pager}
        </>
      )}
    </Panel>
  );
}

function EventItem({ event, isLast }: { event: StreamEvent; isLast: boolean }) {
  const t = useTranslations('streams.eventTexts');
  const { title, detail, tone, href } = describeEvent(t, event, useTranslateMessage());
  const deliveryText = describeDeliveries(t, event.deliveries);
  return (
    <li className={cn('relative grid gap-0.5 pl-5', !isLast && 'pb-4')}>
      <span
        aria-hidden="true"
        className={cn('absolute top-2 left-0 size-1.5 rounded-full', dotColors[tone])}
      />
      {!isLast && <span aria-hidden="true" className="bg-line absolute top-4.5 bottom-0 left-[2.5px] w-px" />}
      <span className="flex items-baseline justify-between gap-3">
        {href === undefined ? (
          <span>{title}</span>
        ) : (
          <Link href={href} className="text-accent-ink rounded-sm underline-offset-4 hover:underline">
            {title}
          </Link>
        )}
        <span className="text-ink-3 shrink-0 text-sm">
          <RelativeTime at={event.createdAt} />
        </span>
      </span>
      {detail !== undefined && <span className="text-ink-2 text-sm wrap-anywhere">{detail}</span>}
      {deliveryText && (
        <Link
          href={`/developers/webhooks/${deliveryText.worst.webhookId}?delivery=${deliveryText.worst.id}`}
          className={cn(
            'justify-self-start rounded-sm text-sm wrap-anywhere underline-offset-4 hover:underline',
            deliveryText.worst.state === 'failed' ? 'text-live-ink' : 'text-ink-2',
          )}
        >
          {deliveryText.label}
        </Link>
      )}
    </li>
  );
}

/** Events of a stream, page by page. */
export function StreamEventsPanel({ id }: { id: string }) {
  const t = useTranslations('streams.eventsPanel');
  const [cursor, setCursor] = useState<string | null>(null);
  const events = useRecentEvents(id, cursor);
  const page = events.data;
  return (
    <EventsPanel
      events={page?.items}
      pager={
        page &&
        (cursor !== null || page.nextCursor !== null) && (
          <ListPager
            formatCount={(count) => t('rowCount', { count })}
            page={page}
            state={{ cursor }}
            onChange={({ cursor: next = null }) => setCursor(next)}
          />
        )
      }
    />
  );
}
