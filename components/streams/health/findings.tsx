'use client';

import { clsx } from 'clsx';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import Link from 'next/link';
import { asSentence } from '@/components/ui/form/server-sentences';
import { useStreamEvents } from '@/lib/client/queries/stream-watch-queries';
import type { Stream } from '@/lib/contract/streams/stream';
import { eventInWords } from '@/components/streams/activity/event-words';
import { firstEvents, EVENTS_REFRESH_MS } from '@/components/streams/activity/events-panel';
import { findingsInWords, findingsOf } from './findings-words';

/** The most important issue or the last rejected encoder, on a line of constant height. */
export function FindingsLine({ stream }: { stream: Stream }) {
  const findings = findingsOf(stream);
  const rejected = useRejection(stream);
  const found = findings.length > 0;
  const warning = found ? findingsInWords(findings) : rejected;
  const Icon = warning === undefined ? CircleCheck : TriangleAlert;
  return (
    <p
      role="status"
      className={clsx(
        'mb-6 flex h-11 items-center gap-2 rounded-lg border px-4',
        warning === undefined ? 'text-ink-2' : 'border-warn-line bg-warn-soft text-warn-ink',
      )}
    >
      <Icon aria-hidden="true" className="size-4 shrink-0" />
      <span className="min-w-0 truncate" title={warning}>
        {warning ?? (stream.isActive ? 'No issues found' : 'Video issues appear here')}
      </span>
      {warning !== undefined && (
        <Link
          href={`/streams/${stream.id}${found ? '#health' : '?tab=events'}`}
          className="ml-auto shrink-0 rounded-sm underline underline-offset-4"
        >
          Details
        </Link>
      )}
    </p>
  );
}

/** How long a live stream shows that another encoder was rejected. */
const NEWS_MS = 600_000;

/** The rejected encoder, if that is the latest event. */
function useRejection({ id, isActive }: Stream): string | undefined {
  const events = useStreamEvents(id, firstEvents, EVENTS_REFRESH_MS);
  const newest = events.data?.items[0];
  if (newest?.event !== 'stream.rejected') return undefined;
  if (isActive && events.dataUpdatedAt - newest.createdAt > NEWS_MS) return undefined;
  const { title, detail } = eventInWords(newest);
  return detail === undefined ? title : `${title}: ${detail}`;
}

/** All issues of a live stream, in a box of constant height that scrolls. */
export function FindingsList({ findings }: { findings: readonly string[] }) {
  return (
    <section
      aria-label="Issues"
      // Scrollable content has to be reachable with the keyboard.
      tabIndex={0}
      className={clsx(
        'mb-5 h-20 overflow-y-auto rounded-lg border px-3 py-2',
        findings.length > 0 && 'border-warn-line bg-warn-soft text-warn-ink',
      )}
    >
      {findings.length === 0 ? (
        <p className="text-ink-2 flex h-full items-center gap-2">
          <CircleCheck aria-hidden="true" className="size-4 shrink-0" />
          No issues found
        </p>
      ) : (
        <ul className="grid gap-1 wrap-anywhere">
          {findings.map((finding) => (
            <li key={finding}>{asSentence(finding)}</li>
          ))}
        </ul>
      )}
    </section>
  );
}
