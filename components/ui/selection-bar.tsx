import type { ReactNode } from 'react';
import { Button } from './button';
import { ProgressBar } from './progress-bar';

interface SelectionBarProps {
  /** "3 assets selected" */
  summary: string;
  onClear: () => void;
  /** All rows that match are more than those on the page: "Select all 1,000". */
  more?: { readonly label: string; readonly pending: boolean; readonly onChoose: () => void } | undefined;
  /** What was ordered for them is under way. */
  progress: { readonly over: number; readonly of: number } | null;
  /** What can be done with them. */
  children: ReactNode;
}

/** Floats at the lower edge while rows are ticked: nothing moves away from under the pointer. */
export function SelectionBar({ summary, onClear, more, progress, children }: SelectionBarProps) {
  return (
    <div
      role="region"
      aria-label="Selection"
      className="bg-raised shadow-pop animate-pop fixed inset-x-4 bottom-5 z-20 mx-auto flex min-h-13 max-w-xl flex-wrap items-center gap-x-3 gap-y-2 rounded-xl border py-2 pr-2 pl-4 max-lg:bottom-[calc(var(--dock-room,0px)+1.25rem)]"
    >
      {progress ? (
        <div className="grid flex-1 gap-1.5 pr-2">
          <p className="font-medium tabular-nums">
            {progress.over.toLocaleString('en')} of {progress.of.toLocaleString('en')} done
          </p>
          <ProgressBar label="Selected rows" value={progress.over / progress.of} />
        </div>
      ) : (
        <>
          <p aria-live="polite" className="mr-auto font-medium">
            {summary}
          </p>
          {more && (
            <Button size="sm" variant="ghost" pending={more.pending} onClick={more.onChoose}>
              {more.label}
            </Button>
          )}
          {children}
          <Button size="sm" variant="ghost" onClick={onClear}>
            Clear
          </Button>
        </>
      )}
    </div>
  );
}
