'use client';

import { Command } from 'cmdk';
import { Check, ChevronsUpDown } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/class-names';

interface ComboboxProps {
  /** Name of the value: "Stream". */
  label: string;
  value: string;
  /** Label of the selected option. */
  displayValue: string;
  /** A few options that match the text. */
  options: readonly { readonly value: string; readonly label: string }[];
  /** Text in the search field. */
  text: string;
  onText: (text: string) => void;
  /** Whether the options for the text are still loading. */
  searching: boolean;
  onChange: (value: string) => void;
  /** Whether the combobox has the size of a form field. */
  wide?: boolean;
}

/** A choice between more options than a list can show. The caller searches for options that match the text. */
export function Combobox({
  label,
  value,
  displayValue,
  text,
  onText,
  onChange,
  wide = false,
  ...list
}: ComboboxProps) {
  const [open, setOpen] = useState(false);
  const changeOpen = (isOpen: boolean) => {
    setOpen(isOpen);
    onText('');
  };
  return (
    <Popover.Root open={open} onOpenChange={changeOpen}>
      <Popover.Trigger asChild>
        <Button
          size={wide ? 'md' : 'sm'}
          role="combobox"
          aria-label={`${label}: ${displayValue}`}
          aria-expanded={open}
          className={cn(
            'font-normal',
            wide ? 'border-line-field dark:bg-sunken w-full justify-between px-3 max-sm:h-10' : 'max-w-56',
          )}
        >
          <span className="min-w-0 truncate">{displayValue}</span>
          <ChevronsUpDown aria-hidden="true" className="text-ink-3" />
        </Button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={6}
          collisionPadding={8}
          className="bg-raised shadow-pop animate-pop z-50 w-72 max-w-[calc(100vw-1rem)] min-w-(--radix-popover-trigger-width) rounded-lg border focus:outline-none"
        >
          <SearchableOptions
            {...list}
            label={label}
            value={value}
            text={text}
            onText={onText}
            onChange={(chosenValue) => {
              changeOpen(false);
              onChange(chosenValue);
            }}
          />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

/** Search field and the options that match its text. */
function SearchableOptions({ label, text, onText, ...list }: Omit<ComboboxProps, 'displayValue' | 'wide'>) {
  const t = useTranslations('ui.combobox');
  const [highlightedValue, setHighlightedValue] = useState(list.value);
  const [firstOption] = list.options;
  // New options may not contain the highlighted one.
  const currentValue = list.options.some(({ value }) => value === highlightedValue)
    ? highlightedValue
    : (firstOption?.value ?? '');
  return (
    <Command label={label} shouldFilter={false} loop value={currentValue} onValueChange={setHighlightedValue}>
      <Command.Input
        value={text}
        onValueChange={onText}
        placeholder={t('searchByName')}
        className="placeholder:text-ink-3 h-10 w-full border-b bg-transparent px-3 text-base outline-none max-sm:text-[1rem]"
      />
      <Options {...list} />
    </Command>
  );
}

function Options({
  options,
  value,
  searching,
  onChange,
}: Pick<ComboboxProps, 'options' | 'value' | 'searching' | 'onChange'>) {
  const t = useTranslations('ui.combobox');
  return (
    <Command.List className="max-h-64 overflow-y-auto p-1" aria-busy={searching}>
      {options.length === 0 && (
        <p role="status" className="text-ink-2 px-2.5 py-4 text-center">
          {searching ? t('searching') : t('noMatch')}
        </p>
      )}
      {options.map((option) => (
        <Command.Item
          key={option.value}
          value={option.value}
          onSelect={() => onChange(option.value)}
          className="data-[selected=true]:bg-hover flex min-h-8 cursor-default items-center gap-2 rounded-sm px-2.5 py-1"
        >
          <span className="min-w-0 flex-1 truncate">{option.label}</span>
          {option.value === value && <Check aria-hidden="true" className="size-4 shrink-0" />}
        </Command.Item>
      ))}
    </Command.List>
  );
}
