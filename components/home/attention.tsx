'use client';

import { TriangleAlert, X } from 'lucide-react';
import Link from 'next/link';
import { useRef } from 'react';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { problemKeys } from '@/components/palette/page-keys';
import { usePageKeys } from '@/components/palette/use-page-keys';
import { IfPermitted, useHasRole } from '@/components/teams/use-team';
import { Button } from '@/components/ui/button';
import { Panel } from '@/components/ui/panel';
import { asSentence } from '@/components/ui/form/server-messages';
import { RelativeTime } from '@/components/ui/relative-time';
import { useDismissProblem } from '@/lib/client/queries/account-queries';
import type { AttentionItem } from '@/lib/contract/accounts/overview';
import { useTranslateMessage } from '@/components/i18n/reasons';
import { FixButton, problemHref } from './fix-button';

/** Name of a quota that has a label in the catalogue. */
const quotaNameOf = (name: string) => (name === 'storageBytes' ? name : 'viewerBytes');

/** Problems that someone can solve; renders nothing if there are none. */
export function AttentionPanel({ items }: { items: readonly AttentionItem[] }) {
  const t = useTranslations('home.overviewPanels');
  const { mutate } = useDismissProblem();
  const dismiss = ({ kind, id, name, message, at }: AttentionItem) =>
    mutate(
      { kind, id, name, message, at },
      { onError: (error) => toast.error(t('notDismissed'), { description: error.message }) },
    );
  const listRef = useProblemKeys(items, dismiss);
  if (items.length === 0) return null;
  return (
    <Panel dense title={t('needAttention', { count: items.length })}>
      <ul ref={listRef} className="-my-2 divide-y">
        {items.map((item) => (
          <Problem key={`${item.kind} ${item.id} ${item.name}`} item={item} onDismiss={() => dismiss(item)} />
        ))}
      </ul>
    </Panel>
  );
}

interface ProblemProps {
  item: AttentionItem;
  onDismiss: () => void;
}

/** Object, cause and the one fix of a problem. On a phone, the fix is below the text. */
function Problem({ item, onDismiss }: ProblemProps) {
  const t = useTranslations('home.overviewPanels');
  const translateMessage = useTranslateMessage();
  const name = item.kind === 'quota' ? t(`quotaNames.${quotaNameOf(item.name)}`) : item.name;
  return (
    <li className="relative grid min-h-14 grid-cols-[auto_minmax(0,1fr)] items-center gap-x-3 gap-y-2 py-2 max-sm:pr-11 sm:grid-cols-[auto_minmax(0,1fr)_auto_auto]">
      <TriangleAlert aria-hidden="true" className="text-warn-ink size-4 shrink-0 max-sm:self-start" />
      <div className="min-w-0">
        <p className="flex min-w-0 flex-wrap items-baseline gap-x-2">
          <Link
            href={problemHref(item)}
            data-problem
            className="max-w-full min-w-0 truncate rounded-sm font-medium underline-offset-4 hover:underline"
          >
            {name}
          </Link>
          <span className="text-ink-3 text-sm">
            {t(`kind.${item.kind}`)}
            {item.at !== null && (
              <>
                {' · '}
                <RelativeTime at={item.at} />
              </>
            )}
          </span>
        </p>
        <p className="text-ink-2 line-clamp-3 text-sm wrap-anywhere">
          {asSentence(translateMessage(item.message, item.reason))}
        </p>
      </div>
      <div className="max-sm:col-start-2">
        <FixButton item={item} />
      </div>
      <IfPermitted>
        <Button
          variant="ghost"
          size="icon"
          aria-label={t('dismiss', { name })}
          title={t('dismissUntil')}
          aria-keyshortcuts={problemKeys.dismiss}
          className="-mr-2 max-sm:absolute max-sm:top-0 max-sm:right-0"
          onClick={onDismiss}
        >
          <X aria-hidden="true" />
        </Button>
      </IfPermitted>
    </li>
  );
}

/** Keys that move the focus between the problems and dismiss the focused problem. */
function useProblemKeys(items: readonly AttentionItem[], dismiss: (item: AttentionItem) => void) {
  const listRef = useRef<HTMLUListElement>(null);
  const mayDismiss = useHasRole('developer');
  usePageKeys((key) => {
    const links = [...(listRef.current?.querySelectorAll<HTMLElement>('[data-problem]') ?? [])];
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
