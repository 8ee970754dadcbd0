'use client';

import { useState } from 'react';
import { EventsPanel } from '@/components/streams/events-panel';
import { ListPager } from '@/components/ui/list-pager';
import { useStreamEvents } from '@/lib/client/event-queries';

const REFRESH_MS = 5000;

export function StreamEvents({ id }: { id: string }) {
  const [cursor, setCursor] = useState<string | null>(null);
  const events = useStreamEvents(id, { limit: '8', ...(cursor === null ? {} : { cursor }) }, REFRESH_MS);
  const page = events.data;
  return (
    <EventsPanel
      events={page?.items}
      pager={
        page &&
        (cursor !== null || page.nextCursor !== null) && (
          <ListPager
            what="event"
            page={page}
            state={{ cursor }}
            onChange={({ cursor: next = null }) => setCursor(next)}
          />
        )
      }
    />
  );
}
