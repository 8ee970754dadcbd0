'use client';

import dynamic from 'next/dynamic';
import type { ComponentType } from 'react';
import { useTranslations } from 'use-intl';
import { Skeleton } from './skeleton';

/**
 * Creates the content of a tab, whose code is loaded when the tab is opened. It appears after hydration, because text
 * that is typed before hydration would be lost.
 * @param load imports the component
 * @param size space that is reserved until the code is loaded
 */
export function lazyTab<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  size: keyof typeof placeholders = 'page',
) {
  return {
    Content: dynamic(load, { loading: placeholders[size], ssr: false }),
    /**
     * Starts loading the code, for example while the pointer is over the tab. A failure is ignored here and reported
     * when the tab is opened.
     */
    prefetch: (): void => void load().catch(() => undefined),
  };
}

const placeholders = {
  page: () => <TabSkeleton heights={['h-64', 'h-64']} />,
  panel: () => <TabSkeleton heights={['h-36']} />,
};

function TabSkeleton({ heights }: { heights: readonly string[] }) {
  const t = useTranslations('ui.tabs');
  return (
    <div aria-busy="true" aria-label={t('loading')} className="grid gap-6">
      {heights.map((height, index) => (
        <Skeleton key={index} className={`${height} w-full rounded-lg`} />
      ))}
    </div>
  );
}
