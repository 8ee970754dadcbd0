'use client';

import { RadioGroup } from 'radix-ui';

interface RadioCardsProps {
  /** Accessible name of the group. */
  label: string;
  value: string;
  onChange: (value: string) => void;
  choices: readonly { readonly value: string; readonly title: string; readonly text: string }[];
}

/** A choice between a few options with descriptions. */
export function RadioCards({ label, value, onChange, choices }: RadioCardsProps) {
  return (
    <RadioGroup.Root
      aria-label={label}
      value={value}
      onValueChange={onChange}
      className="grid gap-2 sm:grid-cols-2"
    >
      {choices.map((choice) => (
        <RadioGroup.Item
          key={choice.value}
          value={choice.value}
          className="hover:bg-hover data-[state=checked]:border-accent data-[state=checked]:bg-accent-soft flex flex-col rounded-md border p-3 text-left transition-colors"
        >
          <span className="block font-medium">{choice.title}</span>
          <span className="text-ink-2 block text-sm">{choice.text}</span>
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  );
}
