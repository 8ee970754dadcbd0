'use client';

import Link from 'next/link';
import { useEffect, useRef } from 'react';
import { scrollToTab } from './tabs';

interface LinkTabsProps {
  label: string;
  links: readonly { readonly href: string; readonly label: string }[];
  /** URL of the current page. */
  current: string;
}

/** Tabs that link to pages, in a row that scrolls if it does not fit. */
export function LinkTabs({ label, links, current }: LinkTabsProps) {
  const row = useRef<HTMLElement>(null);
  useEffect(() => {
    if (row.current) scrollToTab(row.current, row.current.querySelector(`[href="${current}"]`));
  }, [current]);
  return (
    <nav ref={row} aria-label={label} className="scroll-quiet mb-6 border-b">
      <ul className="flex gap-3">
        {links.map(({ href, label: name }) => (
          <li key={href} className="-mb-px shrink-0">
            <Link
              href={href}
              {...(href === current ? { 'aria-current': 'page' as const } : {})}
              className="text-ink-2 hover:text-ink aria-[current=page]:border-accent aria-[current=page]:text-ink block rounded-t-sm border-b-2 border-transparent px-1 pb-2 font-medium transition-colors focus-visible:outline-offset-[-2px] max-sm:py-2.5 pointer-coarse:py-2.5"
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
