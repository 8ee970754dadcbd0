'use client';

import { useEffect, useRef, type MouseEvent } from 'react';

interface CheckboxProps {
  label: string;
  checked: boolean;
  /** Some, but not all, are selected. */
  mixed?: boolean;
  /** `range`: the shift key was held. */
  onToggle: (range: boolean) => void;
}

/** A tick of a row or of all rows; the place to click is larger than the box. */
export function Checkbox({ label, checked, mixed = false, onToggle }: CheckboxProps) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = mixed;
  }, [mixed]);
  return (
    <label className="-m-2 grid size-8 cursor-pointer place-items-center">
      <input
        ref={box}
        type="checkbox"
        aria-label={label}
        checked={checked}
        // The click knows the shift key, the change does not.
        onChange={() => undefined}
        onClick={(event: MouseEvent) => onToggle(event.shiftKey)}
        className="accent-accent size-4 cursor-pointer"
      />
    </label>
  );
}
