'use client';

import { omitUndefined } from '@/lib/core/omit-undefined';
import { Check, type LucideIcon } from 'lucide-react';
import { DropdownMenu as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { cn } from '@/components/ui/class-names';

const itemClasses =
  'flex w-full cursor-default items-center gap-2.5 rounded-sm px-2.5 py-1.5 text-base outline-none select-none data-disabled:opacity-50 data-highlighted:bg-hover [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-ink-3';

interface MenuProps {
  trigger: ReactNode;
  align?: 'start' | 'end';
  side?: 'top' | 'bottom';
  /** Whether the menu is open initially. */
  defaultOpen?: boolean;
  children: ReactNode;
}

/** A menu that opens below or above its button. */
export function Menu({ trigger, align = 'end', side = 'bottom', defaultOpen, children }: MenuProps) {
  return (
    <Radix.Root modal={false} {...omitUndefined({ defaultOpen })}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align={align}
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="bg-raised shadow-pop animate-pop z-50 min-w-52 rounded-lg border p-1"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

interface MenuItemProps {
  icon: LucideIcon;
  onSelect: () => void;
  danger?: boolean;
  disabled?: boolean;
  children: ReactNode;
}

export function MenuItem({ icon: Icon, onSelect, danger, disabled = false, children }: MenuItemProps) {
  return (
    <Radix.Item
      onSelect={onSelect}
      disabled={disabled}
      className={cn(itemClasses, danger && 'text-live-ink [&_svg]:text-live-ink')}
    >
      <Icon aria-hidden="true" />
      {children}
    </Radix.Item>
  );
}

interface MenuRadioGroupProps {
  label: string;
  value: string;
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
}

/** A choice between several options, with a tick at the selected one. */
export function MenuRadioGroup({ label, value, options, onChange }: MenuRadioGroupProps) {
  return (
    <Radix.RadioGroup value={value} onValueChange={onChange} aria-label={label}>
      <Radix.Label className="text-ink-3 px-2.5 pt-1.5 pb-1 text-xs">{label}</Radix.Label>
      {options.map((option) => (
        <Radix.RadioItem
          key={option.value}
          value={option.value}
          className={itemClasses}
          // The menu stays open, so that the effect of a choice can be seen.
          onSelect={(event) => event.preventDefault()}
        >
          {option.label}
          <Radix.ItemIndicator className="ml-auto">
            <Check aria-hidden="true" />
          </Radix.ItemIndicator>
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  );
}

export function MenuSeparator() {
  return <Radix.Separator className="bg-line -mx-1 my-1 h-px" />;
}
