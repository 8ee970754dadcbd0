'use client';

import { X } from 'lucide-react';
import { cn } from '@/components/ui/class-names';

interface RemovableItemsProps {
  /** Accessible name of the list. */
  label: string;
  items: readonly { readonly value: string; readonly text: string; readonly removeLabel: string }[];
  /** Whether the values are shown in a monospaced font, because they are codes or URLs. */
  mono?: boolean;
  onRemove: (value: string) => void;
}

/** Values of a field with several values, each with a remove button. */
export function RemovableItems({ label, items, mono = false, onRemove }: RemovableItemsProps) {
  if (items.length === 0) return null;
  return (
    <ul aria-label={label} className="flex flex-wrap gap-1.5">
      {items.map(({ value, text, removeLabel }) => (
        <li
          key={value}
          className={cn(
            'bg-sunken inline-flex h-8 max-w-full items-center gap-1 rounded-md border pl-2.5 text-sm',
            mono && 'font-mono',
          )}
        >
          <span className="truncate">{text}</span>
          <button
            type="button"
            aria-label={removeLabel}
            onClick={() => onRemove(value)}
            className="text-ink-3 hover:text-ink inline-flex size-8 items-center justify-center"
          >
            <X aria-hidden="true" className="size-3.5" />
          </button>
        </li>
      ))}
    </ul>
  );
}
