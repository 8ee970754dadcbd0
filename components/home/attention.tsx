'use client';

import { CircleCheck, X } from 'lucide-react';
import Link from 'next/link';
import { useRef } from 'react';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { problemKeys } from '@/components/palette/page-keys';
import { usePageKeys } from '@/components/palette/use-page-keys';
import { ForRole, useMay } from '@/components/teams/use-team';
import { Button } from '@/components/ui/button';
import { Panel } from '@/components/ui/panel';
import { asSentence } from '@/components/ui/form/server-messages';
import { RelativeTime } from '@/components/ui/relative-time';
import { useDismissProblem } from '@/lib/client/queries/account-queries';
import type { AttentionItem } from '@/lib/contract/accounts/overview';
import { useTranslateMessage } from '@/components/i18n/reasons';

const paths: Readonly<Record<AttentionItem['kind'], string>> = {
  stream: '/streams',
  rejection: '/streams',
  target: '/streams',
  recording: '/sessions',
  task: '/assets',
  webhook: '/developers/webhooks',
  quota: '/usage',
};

/** Page where the user can resolve a problem. */
export function problemHref({ kind, id, assetId }: Pick<AttentionItem, 'kind' | 'id' | 'assetId'>): string {
  return kind === 'quota' ? paths.quota : `${paths[kind]}/${assetId ?? id}`;
}

/** Name of a quota that has a label in the catalogue. */
const quotaNameOf = (name: string) => (name === 'storageBytes' ? name : 'viewerBytes');

export function Attention({ items }: { items: readonly AttentionItem[] }) {
  const t = useTranslations('home.overviewPanels');
  const translateMessage = useTranslateMessage();
  const { mutate } = useDismissProblem();
  const dismiss = ({ kind, id, name, message, at }: AttentionItem) =>
    mutate(
      { kind, id, name, message, at },
      { onError: (error) => toast.error(t('notDismissed'), { description: error.message }) },
    );
  const listRef = useProblemKeys(items, dismiss);
  return (
    <Panel title={items.length === 0 ? t('needsAttention') : t('needAttention', { count: items.length })}>
      {items.length === 0 ? (
        <p className="text-ink-2 flex items-center gap-2">
          <CircleCheck aria-hidden="true" className="text-accent size-4 shrink-0" />
          {t('noProblemsInThe')}
        </p>
      ) : (
        <ul ref={listRef} className="-my-2 divide-y">
          {items.map((item) => (
            <li key={`${item.kind} ${item.id} ${item.name}`} className="relative grid gap-0.5 py-2 pr-9">
              <p className="flex min-w-0 items-baseline justify-between gap-3">
                <Link
                  href={problemHref(item)}
                  data-problem
                  className="min-w-0 truncate rounded-sm font-medium underline-offset-4 hover:underline"
                >
                  {item.kind === 'quota' ? t(`quotaNames.${quotaNameOf(item.name)}`) : item.name}
                </Link>
                <span className="text-ink-3 shrink-0 text-sm">
                  {t(`kind.${item.kind}`)}
                  {item.at !== null && (
                    <>
                      {' · '}
                      <RelativeTime at={item.at} />
                    </>
                  )}
                </span>
              </p>
              <p className="text-warn-ink line-clamp-3 text-sm wrap-anywhere">
                {asSentence(translateMessage(item.message, item.reason))}
              </p>
              <ForRole>
                <Button
                  variant="ghost"
                  size="icon"
                  aria-label={t('dismiss', { name: item.name })}
                  title={t('dismissUntil')}
                  aria-keyshortcuts={problemKeys.dismiss}
                  className="absolute top-1 -right-2"
                  onClick={() => dismiss(item)}
                >
                  <X aria-hidden="true" />
                </Button>
              </ForRole>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

/** Keys that move the focus between the problems and dismiss the focused problem. */
function useProblemKeys(items: readonly AttentionItem[], dismiss: (item: AttentionItem) => void) {
  const listRef = useRef<HTMLUListElement>(null);
  const mayDismiss = useMay('developer');
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
