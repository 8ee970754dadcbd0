'use client';

import { ChevronDown } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'use-intl';
import { healthKey } from '@/components/palette/page-keys';
import { cn } from '@/components/ui/class-names';
import { asSentence } from '@/components/ui/form/server-messages';
import { StatusPill } from '@/components/ui/status-pill';
import type { Stream } from '@/lib/contract/streams/stream';
import { describeEvent } from '@/components/streams/activity/event-text';
import { useRecentEvents } from '@/components/streams/activity/activity-queries';
import { summarizeIssues, currentIssuesOf } from './issue-texts';
import { healthPanelId } from './health-panel-state';
import { useTranslateMessage } from '@/components/i18n/reasons';

interface HealthPillProps {
  stream: Stream;
  /** Whether the details panel is open. */
  open: boolean;
  onToggle: () => void;
}

/**
 * Health in the status line of a stream: its issues, the last rejected encoder, or that it is healthy. A click toggles
 * the health panel, or opens the events of the stream after a rejection. The space is kept while there is nothing to show.
 */
export function HealthPill({ stream, open, onToggle }: HealthPillProps) {
  const t = useTranslations('streams.issues');
  const issueTexts = currentIssuesOf(stream, useTranslateMessage());
  const rejection = useRejection(stream);
  const hasIssues = issueTexts.length > 0;
  const warning = hasIssues ? summarizeIssues(t, issueTexts) : rejection;
  const statusText = warning ?? (stream.isActive && stream.isHealthy === true ? t('healthy') : undefined);
  return (
    <span
      role="status"
      className="flex min-h-6 min-w-32 flex-1 basis-0 max-sm:max-w-full max-sm:min-w-0 max-sm:flex-initial max-sm:basis-auto max-sm:empty:min-h-0"
    >
      {statusText !== undefined &&
        (hasIssues || warning === undefined ? (
          <button
            type="button"
            title={statusText}
            aria-expanded={open}
            aria-controls={open ? healthPanelId : undefined}
            aria-keyshortcuts={healthKey}
            onClick={onToggle}
            className={pillClasses}
          >
            <StatusPill tone={warning === undefined ? 'accent' : 'warn'}>
              <span className="truncate">{statusText}</span>
              <ChevronDown
                aria-hidden="true"
                className={cn('-mr-1 size-3.5 shrink-0', open && 'rotate-180')}
              />
            </StatusPill>
          </button>
        ) : (
          <Link href={`/streams/${stream.id}?tab=events`} title={statusText} className={pillClasses}>
            <StatusPill tone="warn">
              <span className="truncate">{statusText}</span>
            </StatusPill>
          </Link>
        ))}
    </span>
  );
}

/** A pill that reacts to a finger on 44 px, although it is lower. */
const pillClasses =
  'relative flex min-w-0 rounded-full hover:brightness-95 sm:max-w-[30rem] pointer-coarse:after:absolute pointer-coarse:after:inset-x-0 pointer-coarse:after:-inset-y-2.5';

/** Time for which a live stream shows that another encoder was rejected. */
const REJECTION_SHOWN_MS = 600_000;

/** Reason of the last rejection if no other event followed; of a live stream only for ten minutes. */
function useRejection({ id, isActive }: Stream): string | undefined {
  const t = useTranslations('streams.eventTexts');
  const translateMessage = useTranslateMessage();
  const events = useRecentEvents(id);
  const newest = events.data?.items[0];
  if (newest?.event !== 'stream.rejected') return undefined;
  if (isActive && events.dataUpdatedAt - newest.createdAt > REJECTION_SHOWN_MS) return undefined;
  const { title, detail } = describeEvent(t, newest, translateMessage);
  return detail === undefined ? title : `${title}: ${detail}`;
}

/** All issues of a live stream; renders nothing without issues. */
export function IssueList({ issueTexts }: { issueTexts: readonly string[] }) {
  const t = useTranslations('streams.issues');
  if (issueTexts.length === 0) return null;
  return (
    <section
      aria-label={t('issues')}
      className="border-warn-line bg-warn-soft text-warn-ink mb-5 rounded-lg border px-3 py-2"
    >
      <ul className="grid gap-1 wrap-anywhere">
        {issueTexts.map((issueText) => (
          <li key={issueText}>{asSentence(issueText)}</li>
        ))}
      </ul>
    </section>
  );
}
