'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { showInRow } from '@/components/ui/tabs';
import { adminHref, adminSections } from './admin-sections';

/** The pages for operators, as a row that scrolls if it does not fit. */
export function AdminNav() {
  const t = useTranslations('admin');
  const path = usePathname();
  const row = useRef<HTMLElement>(null);
  useEffect(() => {
    if (row.current) showInRow(row.current, row.current.querySelector(`[href="${path}"]`));
  }, [path]);
  return (
    <nav ref={row} aria-label={t('admin')} className="scroll-quiet mb-6 border-b">
      <ul className="flex gap-3">
        {adminSections.map((section) => {
          const href = adminHref(section);
          return (
            <li key={section} className="-mb-px shrink-0">
              <Link
                href={href}
                {...(href === path ? { 'aria-current': 'page' as const } : {})}
                className="text-ink-2 hover:text-ink aria-[current=page]:border-accent aria-[current=page]:text-ink block rounded-t-sm border-b-2 border-transparent px-1 pb-2 font-medium transition-colors focus-visible:outline-offset-[-2px] max-sm:py-2.5"
              >
                {t(`sections.${section}`)}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
