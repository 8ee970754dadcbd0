'use client';

import { cn } from '@/components/ui/class-names';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'use-intl';
import { asSentence } from '@/components/ui/form/server-sentences';
import { useStreamEvents } from '@/lib/client/queries/stream-watch-queries';
import type { Stream } from '@/lib/contract/streams/stream';
import { eventInWords } from '@/components/streams/activity/event-words';
import { firstEvents, EVENTS_REFRESH_MS } from '@/components/streams/activity/events-panel';
import { findingsInWords, findingsOf } from './findings-words';
import { useSay } from '@/components/i18n/reasons';

/** The most important issue or the last rejected encoder, on a line of constant height. */
export function FindingsLine({ stream }: { stream: Stream }) {
  const t = useTranslations('streams.findings');
  const findings = findingsOf(stream, useSay());
  const rejected = useRejection(stream);
  const found = findings.length > 0;
  const warning = found ? findingsInWords(t, findings) : rejected;
  const Icon = warning === undefined ? CircleCheck : TriangleAlert;
  return (
    <p
      role="status"
      className={cn(
        'mb-6 flex h-11 items-center max-sm:h-16 gap-2 rounded-lg border px-4',
        warning === undefined ? 'text-ink-2' : 'border-warn-line bg-warn-soft text-warn-ink',
      )}
    >
      <Icon aria-hidden="true" className="size-4 shrink-0" />
      <span className="line-clamp-1 min-w-0 wrap-anywhere max-sm:line-clamp-2" title={warning}>
        {warning ?? (stream.isActive ? t('noIssuesFound') : t('issuesAppearHere'))}
      </span>
      {warning !== undefined && (
        <Link
          href={`/streams/${stream.id}${found ? '#health' : '?tab=events'}`}
          className="ml-auto shrink-0 rounded-sm underline underline-offset-4"
        >
          {t('details')}
        </Link>
      )}
    </p>
  );
}

/** How long a live stream shows that another encoder was rejected. */
const NEWS_MS = 600_000;

/** The rejected encoder, if that is the latest event. */
function useRejection({ id, isActive }: Stream): string | undefined {
  const t = useTranslations('streams.eventWords');
  const say = useSay();
  const events = useStreamEvents(id, firstEvents, EVENTS_REFRESH_MS);
  const newest = events.data?.items[0];
  if (newest?.event !== 'stream.rejected') return undefined;
  if (isActive && events.dataUpdatedAt - newest.createdAt > NEWS_MS) return undefined;
  const { title, detail } = eventInWords(t, newest, say);
  return detail === undefined ? title : `${title}: ${detail}`;
}

/** All issues of a live stream, in a box of constant height that scrolls. */
export function FindingsList({ findings }: { findings: readonly string[] }) {
  const t = useTranslations('streams.findings');
  return (
    <section
      aria-label={t('issues')}
      // Scrollable content has to be reachable with the keyboard.
      tabIndex={0}
      className={cn(
        'mb-5 h-20 overflow-y-auto rounded-lg border px-3 py-2',
        findings.length > 0 && 'border-warn-line bg-warn-soft text-warn-ink',
      )}
    >
      {findings.length === 0 ? (
        <p className="text-ink-2 flex h-full items-center gap-2">
          <CircleCheck aria-hidden="true" className="size-4 shrink-0" />
          {t('noIssuesFound')}
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
