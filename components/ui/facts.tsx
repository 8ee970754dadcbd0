import type { ReactNode } from 'react';
import { CopyButton } from './copy-button';

/** Names at the left, values at the right, a line between two. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="-my-2 divide-y">{children}</dl>;
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex min-h-10 items-center justify-between gap-4 py-1">
      <dt className="text-ink-2 shrink-0">{name}</dt>
      <dd className="min-w-0 text-right">{children}</dd>
    </div>
  );
}

/** Something long to copy, of which the beginning and the end are shown. `label`: what "copy" copies. */
export function FactId({ value, label }: { value: string; label: string }) {
  return (
    <span className="flex min-w-0 items-center justify-end gap-1">
      <span className="truncate font-mono text-sm" title={value}>
        {value.length > 20 ? `${value.slice(0, 8)}…${value.slice(-6)}` : value}
      </span>
      <CopyButton value={value} label={`Copy ${label}`} className="-mr-2" />
    </span>
  );
}
