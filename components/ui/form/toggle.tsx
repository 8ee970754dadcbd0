'use client';

import { type ComponentProps, type MouseEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { Switch as Radix } from 'radix-ui';
import { cn } from '@/components/ui/class-names';

interface CheckboxProps {
  label: string;
  checked: boolean;
  /** Whether some, but not all rows are selected. */
  mixed?: boolean;
  /** @param isRange whether the shift key was pressed, which toggles a range of rows */
  onToggle: (isRange: boolean) => void;
}

/** A checkbox of a row or of all rows, with a click area larger than the box. */
export function Checkbox({ label, checked, mixed = false, onToggle }: CheckboxProps) {
  const checkboxRef = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (checkboxRef.current) checkboxRef.current.indeterminate = mixed;
  }, [mixed]);
  return (
    <label className="-m-2 grid size-8 cursor-pointer place-items-center">
      <input
        ref={checkboxRef}
        type="checkbox"
        aria-label={label}
        checked={checked}
        // The click event has the shift key, the change event does not.
        onChange={() => undefined}
        onClick={(event: MouseEvent) => onToggle(event.shiftKey)}
        className="accent-accent size-4 cursor-pointer"
      />
    </label>
  );
}

interface SwitchRowProps {
  label: string;
  description: ReactNode;
  checked: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
}

/** A setting that takes effect immediately, with a switch at the right. */
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
      <Switch
        id={id}
        aria-describedby={`${id}-hint`}
        checked={checked}
        disabled={disabled ?? false}
        onCheckedChange={onChange}
        className="mt-0.5"
      />
    </div>
  );
}

/** A switch without a label of its own, which needs an `aria-label` or the id of a label. */
export function Switch({ className, ...props }: ComponentProps<typeof Radix.Root>) {
  return (
    <Radix.Root
      className={cn(
        'bg-line-field data-[state=checked]:bg-accent inline-flex h-6 w-10 shrink-0 items-center rounded-full p-0.5 transition-colors disabled:opacity-60',
        // A finger needs 44 px.
        'relative pointer-coarse:after:absolute pointer-coarse:after:-inset-x-0.5 pointer-coarse:after:-inset-y-2.5',
        className,
      )}
      {...props}
    >
      <Radix.Thumb className="data-[state=checked]:bg-on-accent size-5 rounded-full bg-white transition-transform data-[state=checked]:translate-x-4" />
    </Radix.Root>
  );
}
