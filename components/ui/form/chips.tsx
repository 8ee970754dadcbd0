'use client';

import { ToggleGroup } from 'radix-ui';

interface FilterChipsProps {
  label: string;
  value: string;
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
}

/** A filter with one selected option. */
export function FilterChips({ label, value, options, onChange }: FilterChipsProps) {
  return (
    <ToggleGroup.Root
      type="single"
      aria-label={label}
      value={value}
      // The value is empty if the selected chip is clicked again.
      onValueChange={(next) => onChange(next || (options[0]?.value ?? ''))}
      className="scroll-quiet -mx-4 flex gap-1.5 px-4 py-0.5 sm:mx-0 sm:px-0"
    >
      {options.map((option) => (
        <ToggleGroup.Item
          key={option.value}
          value={option.value}
          className="text-ink-2 hover:bg-hover hover:text-ink data-[state=on]:border-accent-line data-[state=on]:bg-accent-soft data-[state=on]:text-accent-ink bg-surface h-8 shrink-0 rounded-full border px-3.5 text-sm font-medium transition-colors pointer-coarse:h-11"
        >
          {option.label}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}
