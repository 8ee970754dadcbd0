'use client';

import { Tabs as Radix } from 'radix-ui';
import type { ReactNode } from 'react';

interface TabsProps {
  label: string;
  tabs: readonly { value: string; label: string; content: ReactNode }[];
}

export function Tabs({ label, tabs }: TabsProps) {
  return (
    <Radix.Root defaultValue={tabs[0]?.value ?? ''}>
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
