'use client';

import { Switch as Radix } from 'radix-ui';
import { useId, type ReactNode } from 'react';

interface SwitchRowProps {
  label: string;
  description: ReactNode;
  checked: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
}

/** A setting that takes effect at once: words at the left, switch at the right. */
export function SwitchRow({ label, description, checked, disabled, onChange }: SwitchRowProps) {
  const id = useId();
  return (
    <div className="flex items-start justify-between gap-6">
      <div className="min-w-0">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        <p id={`${id}-hint`} className="text-ink-2 text-sm">
          {description}
        </p>
      </div>
      <Radix.Root
        id={id}
        aria-describedby={`${id}-hint`}
        checked={checked}
        disabled={disabled ?? false}
        onCheckedChange={onChange}
        className="bg-line-field data-[state=checked]:bg-accent mt-0.5 inline-flex h-6 w-10 shrink-0 items-center rounded-full p-0.5 transition-colors disabled:opacity-60"
      >
        <Radix.Thumb className="data-[state=checked]:bg-on-accent size-5 rounded-full bg-white transition-transform data-[state=checked]:translate-x-4" />
      </Radix.Root>
    </div>
  );
}
