'use client';

import { Tabs as Radix } from 'radix-ui';
import type { ReactNode } from 'react';

interface TabsProps {
  label: string;
  tabs: readonly { value: string; label: string; content: ReactNode }[];
  /** The open tab, where the caller keeps it; otherwise the first one is open at first. */
  value?: string;
  onChange?: (value: string) => void;
}

export function Tabs({ label, tabs, value, onChange }: TabsProps) {
  const kept = value !== undefined && onChange ? { value, onValueChange: onChange } : {};
  return (
    <Radix.Root defaultValue={tabs[0]?.value ?? ''} {...kept}>
      <Radix.List aria-label={label} className="scroll-quiet mb-4 flex gap-3 border-b">
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
