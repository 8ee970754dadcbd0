'use client';

import { Tabs as Radix } from 'radix-ui';
import { type ReactNode, useEffect, useRef } from 'react';

interface TabsProps<T extends string> {
  label: string;
  tabs: readonly { value: T; label: string; content: ReactNode }[];
  /** The tab on show, for a page that keeps it (use-tab-by-address.ts). Left out = the first one, then the reader's choice. */
  value?: T;
  onChange?: (value: T) => void;
}

/** The content of one tab at a time. A row of tabs that is too long scrolls by itself. */
export function Tabs<T extends string>({ label, tabs, value, onChange }: TabsProps<T>) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (list.current && value !== undefined) showActiveTab(list.current);
  }, [value]);
  return (
    <Radix.Root
      {...(value === undefined
        ? { defaultValue: tabs[0]?.value ?? '' }
        : // Each tab is an entry in the history: the arrow keys only move between them, Enter opens one.
          { value, onValueChange: (next) => onChange?.(next as T), activationMode: 'manual' })}
    >
      <Radix.List ref={list} aria-label={label} className="scroll-quiet mb-4 flex gap-3 border-b">
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.value}
            value={tab.value}
            className="text-ink-2 hover:text-ink data-[state=active]:border-accent data-[state=active]:text-ink -mb-px shrink-0 rounded-t-sm border-b-2 border-transparent px-1 pb-2 font-medium transition-colors focus-visible:outline-offset-[-2px]"
          >
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content key={tab.value} value={tab.value} className="rounded-md">
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}

/** Scrolls the row only, never the page. */
function showActiveTab(list: HTMLElement): void {
  const active = list.querySelector('[data-state="active"]');
  if (!active) return;
  const row = list.getBoundingClientRect();
  const tab = active.getBoundingClientRect();
  if (tab.left < row.left) list.scrollLeft -= row.left - tab.left;
  else if (tab.right > row.right) list.scrollLeft += tab.right - row.right;
}
