'use client';

import { TriangleAlert, X } from 'lucide-react';
import Link from 'next/link';
import { useRef, useState } from 'react';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { problemKeys } from '@/components/palette/page-keys';
import { usePageKeys } from '@/components/palette/use-page-keys';
import { IfPermitted, useHasRole } from '@/components/teams/use-team';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/class-names';
import { asSentence } from '@/components/ui/form/server-messages';
import { formatNearTime } from '@/components/ui/time-text';
import { useTimeFormat } from '@/components/ui/time/time-settings';
import { useDismissProblem } from '@/lib/client/queries/account-queries';
import type { AttentionItem } from '@/lib/contract/accounts/overview';
import { useTranslateMessage } from '@/components/i18n/reasons';
import { FixButton, problemHref } from './fix-button';
import { HomePanel } from './home-panel';

/** Name of a quota that has a label: `storageBytes`, or `viewerBytes` for every other name. */
const quotaNameOf = (name: string) => (name === 'storageBytes' ? name : 'viewerBytes');

interface AttentionPanelProps {
  items: readonly AttentionItem[];
  /** Problems that still exist and were dismissed. */
  dismissed: readonly AttentionItem[];
  /** Time at which the overview was read, in Unix milliseconds. */
  now: number;
  className?: string;
}

/** React key of a problem. */
const keyOf = ({ kind, id, name }: AttentionItem) => `${kind} ${id} ${name}`;

/** Problems that someone can solve, and on request the dismissed ones; renders nothing if all are dismissed. */
export function AttentionPanel({ items, dismissed, now, className }: AttentionPanelProps) {
  const t = useTranslations('home.overviewPanels');
  const { mutate } = useDismissProblem();
  const [areDismissedShown, setDismissedShown] = useState(false);
  const dismiss = ({ kind, id, name, message, at }: AttentionItem) =>
    mutate(
      { kind, id, name, message, at },
      { onError: (error) => toast.error(t('notDismissed'), { description: error.message }) },
    );
  const listRef = useProblemKeys(items, dismiss);
  if (items.length === 0) return null;
  return (
    <HomePanel
      label={t('needAttention', { count: items.length })}
      title={t('needsAttention')}
      note={items.length}
      className={className}
      action={
        dismissed.length > 0 && (
          <Button
            variant="ghost"
            size="sm"
            className="-mr-2"
            aria-expanded={areDismissedShown}
            onClick={() => setDismissedShown(!areDismissedShown)}
          >
            {areDismissedShown ? t('hideDismissed') : t('showDismissed', { count: dismissed.length })}
          </Button>
        )
      }
    >
      <ul ref={listRef} className="divide-y border-t">
        {items.map((item) => (
          <Problem key={keyOf(item)} item={item} now={now} onDismiss={() => dismiss(item)} />
        ))}
      </ul>
      {areDismissedShown && dismissed.length > 0 && (
        <ul aria-label={t('dismissed')} className="bg-sunken divide-y rounded-b-lg border-t">
          {dismissed.map((item) => (
            <Problem key={keyOf(item)} item={item} now={now} />
          ))}
        </ul>
      )}
    </HomePanel>
  );
}

interface ProblemProps {
  item: AttentionItem;
  /** Time at which the overview was read, in Unix milliseconds. */
  now: number;
  /** Undefined for a dismissed problem. */
  onDismiss?: () => void;
}

/** Kinds whose time is when the problem started. The other kinds failed at their time. */
const lastingKinds: ReadonlySet<AttentionItem['kind']> = new Set([
  'stream',
  'rejection',
  'target',
  'webhook',
]);

/** Object, cause and the one fix of a problem. On a phone, the fix is below the text. */
function Problem({ item, now, onDismiss }: ProblemProps) {
  const t = useTranslations('home.overviewPanels');
  const translateMessage = useTranslateMessage();
  const format = useTimeFormat();
  const { kind, at } = item;
  const name = kind === 'quota' ? t(`quotaNames.${quotaNameOf(item.name)}`) : item.name;
  const time = at === null ? null : formatNearTime(at, now, format);
  const text = asSentence(translateMessage(item.message, item.reason));
  return (
    <li className="relative grid min-h-13 grid-cols-[auto_minmax(0,1fr)] items-center gap-x-3 gap-y-2 py-1.5 pr-2 pl-4 max-sm:pr-11 sm:grid-cols-[auto_minmax(0,1fr)_auto_2rem]">
      <TriangleAlert
        aria-hidden="true"
        className={cn('size-4 shrink-0 max-sm:self-start', onDismiss ? 'text-warn-ink' : 'text-ink-3')}
      />
      <div className="min-w-0">
        <p className="flex min-w-0 gap-x-1 font-medium max-sm:flex-wrap">
          <Link
            href={problemHref(item)}
            {...(onDismiss ? { 'data-problem': true } : {})}
            title={name}
            className="max-w-full min-w-0 truncate rounded-sm underline-offset-4 hover:underline"
          >
            {name}
          </Link>
          <span className="shrink-0">{t(`problem.${kind}`)}</span>
        </p>
        <p className="text-ink-2 line-clamp-2 text-xs wrap-anywhere max-sm:line-clamp-6" title={text}>
          {time !== null && (lastingKinds.has(kind) ? t('since', { time }) : t('at', { time }))} {text}
        </p>
      </div>
      <div className="max-sm:col-start-2">{onDismiss && <FixButton item={item} />}</div>
      {onDismiss && (
        <IfPermitted>
          <Button
            variant="ghost"
            size="icon"
            aria-label={t('dismiss', { name })}
            title={t('dismissUntil')}
            aria-keyshortcuts={problemKeys.dismiss}
            className="max-sm:absolute max-sm:top-0 max-sm:right-0"
            onClick={onDismiss}
          >
            <X aria-hidden="true" />
          </Button>
        </IfPermitted>
      )}
    </li>
  );
}

/** Keys that move the focus between the problems and dismiss the focused problem. */
function useProblemKeys(items: readonly AttentionItem[], dismiss: (item: AttentionItem) => void) {
  const listRef = useRef<HTMLUListElement>(null);
  const mayDismiss = useHasRole('developer');
  usePageKeys((key) => {
    const links = [...(listRef.current?.querySelectorAll<HTMLElement>('[data-problem]') ?? [])];
    // -1 if no problem has the focus: then the keys focus the first or the last problem.
    const index = links.findIndex((link) => link.closest('li')?.contains(document.activeElement));
    if (key === problemKeys.next) links[index + 1]?.focus();
    if (key === problemKeys.previous) links[index === -1 ? links.length - 1 : index - 1]?.focus();
    const item = items[index];
    if (key !== problemKeys.dismiss || !item || !mayDismiss) return;
    // The focus stays in the list when the dismissed problem disappears.
    (links[index + 1] ?? links[index - 1])?.focus();
    dismiss(item);
  });
  return listRef;
}
