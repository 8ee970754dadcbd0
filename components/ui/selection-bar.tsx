import type { ReactNode } from 'react';
import { Button } from './button';

interface SelectionBarProps {
  /** "3 assets selected" */
  summary: string;
  onClear: () => void;
  /** What can be done with them. */
  children: ReactNode;
}

/** Floats at the lower edge while rows are ticked: nothing moves away from under the pointer. */
export function SelectionBar({ summary, onClear, children }: SelectionBarProps) {
  return (
    <div
      role="region"
      aria-label="Selection"
      className="bg-raised shadow-pop animate-pop fixed inset-x-4 bottom-5 z-20 mx-auto flex max-w-md flex-wrap items-center gap-x-3 gap-y-2 rounded-xl border py-2 pr-2 pl-4 max-lg:bottom-[calc(var(--dock-room,0px)+1.25rem)]"
    >
      <p aria-live="polite" className="mr-auto font-medium">
        {summary}
      </p>
      {children}
      <Button size="sm" variant="ghost" onClick={onClear}>
        Clear
      </Button>
    </div>
  );
}
