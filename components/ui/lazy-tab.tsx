'use client';

import dynamic from 'next/dynamic';
import type { ComponentType } from 'react';
import { useTranslations } from 'use-intl';
import { Skeleton } from './skeleton';

/**
 * The content of a tab, whose code is loaded when the tab is opened. A tab of a server-rendered page appears once it is
 * interactive: text typed before hydration would be lost.
 * @param load imports the component
 */
export function lazyTab<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return {
    Content: dynamic(load, { loading: TabSkeleton, ssr: false }),
    /** Starts loading the code, for example while the pointer is over the tab. Opening the tab reports a failure. */
    prefetch: (): void => void load().catch(() => undefined),
  };
}

/** Reserves the space of a tab while its code loads. */
function TabSkeleton() {
  const t = useTranslations('ui.tabs');
  return (
    <div aria-busy="true" aria-label={t('loading')} className="grid gap-6">
      <Skeleton className="h-64 w-full rounded-lg" />
      <Skeleton className="h-64 w-full rounded-lg" />
    </div>
  );
}
