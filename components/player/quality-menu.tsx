'use client';

import { Settings2 } from 'lucide-react';
import type { Rendition } from './engine';

const AUTO = -1;

interface QualityMenuProps {
  renditions: readonly Rendition[];
  chosen: number;
  shown: number;
  onChoose: (index: number) => void;
}

/** Auto and the renditions, best first, in the browser's own list: it works in full screen and on phones, and weighs nothing. */
export function QualityMenu({ renditions, chosen, shown, onChoose }: QualityMenuProps) {
  const now = renditions.find((rendition) => rendition.index === shown);
  const auto = now && chosen === AUTO ? `Auto (${now.label})` : 'Auto';
  return (
    <span className="relative inline-flex size-9 shrink-0 items-center justify-center rounded-md focus-within:outline-2 focus-within:outline-offset-[-2px] focus-within:outline-white hover:bg-white/15">
      <Settings2 aria-hidden="true" className="size-[18px]" />
      <select
        aria-label="Quality"
        title="Quality"
        value={chosen}
        onChange={(event) => onChoose(Number(event.target.value))}
        className="absolute inset-0 cursor-pointer opacity-0 [&>option]:bg-[#0b1013] [&>option]:text-white"
      >
        <option value={AUTO}>{auto}</option>
        {[...renditions].reverse().map(({ index, label }) => (
          <option key={index} value={index}>
            {label}
          </option>
        ))}
      </select>
    </span>
  );
}
