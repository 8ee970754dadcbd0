'use client';

import { Tabs as Radix } from 'radix-ui';
import { type ReactNode, useEffect, useRef } from 'react';

export interface Tab<T extends string> {
  value: T;
  label: string;
  content: ReactNode;
  /** Called when the pointer or the focus reaches the tab. */
  onIntent?: (() => void) | undefined;
}

interface TabsProps<T extends string> {
  label: string;
  tabs: readonly Tab<T>[];
  /** The selected tab, if the page stores it (components/ui/use-tab-by-url.ts). */
  value?: T;
  onChange?: (value: T) => void;
  /** Whether arrow keys only move the focus and do not select a tab, for tabs that add history entries. */
  manual?: boolean;
}

/** Shows one tab at a time. The row of tabs scrolls if it does not fit. */
export function Tabs<T extends string>({ label, tabs, value, onChange, manual = false }: TabsProps<T>) {
  const listRef = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const row = listRef.current;
    if (!row || value === undefined) return;
    // A new observer also reports the initial size.
    const resizeObserver = new ResizeObserver(() =>
      scrollToTab(row, row.querySelector('[data-state="active"]')),
    );
    resizeObserver.observe(row);
    return () => resizeObserver.disconnect();
  }, [value]);
  return (
    <Radix.Root
      // Without this, the tabs would widen a grid instead of scrolling.
      className="min-w-0"
      {...(value === undefined
        ? { defaultValue: tabs[0]?.value ?? '' }
        : {
            value,
            onValueChange: (next) => onChange?.(next as T),
            activationMode: manual ? 'manual' : 'automatic',
          })}
    >
      <Radix.List ref={listRef} aria-label={label} className="scroll-quiet mb-4 flex gap-3 border-b">
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.value}
            value={tab.value}
            onPointerEnter={tab.onIntent}
            onFocus={tab.onIntent}
            className="text-ink-2 hover:text-ink data-[state=active]:border-accent data-[state=active]:text-ink -mb-px shrink-0 rounded-t-sm border-b-2 border-transparent px-1 pb-2 font-medium transition-colors focus-visible:outline-offset-[-2px] pointer-coarse:py-2.5"
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

/** Scrolls a row of tabs horizontally until a tab is visible. `scrollIntoView` would scroll the page too. */
export function scrollToTab(row: HTMLElement, tab: Element | null): void {
  if (!tab) return;
  const rowBox = row.getBoundingClientRect();
  const tabBox = tab.getBoundingClientRect();
  if (tabBox.left < rowBox.left) row.scrollLeft -= rowBox.left - tabBox.left;
  else if (tabBox.right > rowBox.right) row.scrollLeft += tabBox.right - rowBox.right;
}
