'use client';

import { Check, Settings2 } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { Rendition } from './engine';

const AUTO = -1;

export interface QualityMenuProps {
  renditions: readonly Rendition[];
  chosen: number;
  shown: number;
  onChoose: (index: number) => void;
  /** The stage: in full screen nothing outside of it is seen. */
  container: HTMLElement | null;
}

/** Auto and the renditions, best first. Fetched only for streams that have more than one. */
export default function QualityMenu({ renditions, chosen, shown, onChoose, container }: QualityMenuProps) {
  const now = renditions.find((rendition) => rendition.index === shown);
  const best = [...renditions].reverse();
  const options = [{ index: AUTO, label: now && chosen === AUTO ? `Auto (${now.label})` : 'Auto' }, ...best];
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger
        aria-label="Quality"
        className="inline-flex size-9 items-center justify-center rounded-md text-white hover:bg-white/15 focus-visible:outline-white"
      >
        <Settings2 aria-hidden="true" className="size-[18px]" />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal container={container}>
        <DropdownMenu.Content
          side="top"
          align="end"
          sideOffset={8}
          collisionPadding={8}
          className="animate-pop z-50 min-w-40 rounded-lg bg-black/90 p-1 text-sm text-white"
        >
          <DropdownMenu.RadioGroup value={String(chosen)} onValueChange={(value) => onChoose(Number(value))}>
            {options.map((option) => (
              <DropdownMenu.RadioItem
                key={option.index}
                value={String(option.index)}
                className="flex h-8 cursor-default items-center gap-6 rounded-sm px-2.5 outline-none data-highlighted:bg-white/15"
              >
                {option.label}
                <DropdownMenu.ItemIndicator className="ml-auto">
                  <Check aria-hidden="true" className="size-4" />
                </DropdownMenu.ItemIndicator>
              </DropdownMenu.RadioItem>
            ))}
          </DropdownMenu.RadioGroup>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
