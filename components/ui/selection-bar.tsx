import type { ReactNode } from 'react';
import { Button } from './button';

interface SelectionBarProps {
  /** "3 assets selected" */
  summary: string;
  onClear: () => void;
  /** What can be done with them. */
  children: ReactNode;
}

/** Stands above a table while rows are ticked, and stays in sight. */
export function SelectionBar({ summary, onClear, children }: SelectionBarProps) {
  return (
    <div
      role="region"
      aria-label="Selection"
      className="border-accent-line bg-accent-soft sticky top-2 z-20 mb-3 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border px-4 py-2 max-lg:top-16"
    >
      <p aria-live="polite" className="text-accent-ink mr-auto font-medium">
        {summary}
      </p>
      {children}
      <Button size="sm" variant="ghost" onClick={onClear}>
        Clear
      </Button>
    </div>
  );
}
