import type { ReactNode } from 'react';
import { cn } from './class-names';

export type StatusTone = 'live' | 'idle' | 'warn' | 'accent';

const tones: Record<StatusTone, { pill: string; dot: string }> = {
  live: { pill: 'bg-live-soft text-live-ink', dot: 'bg-live animate-pulse-dot' },
  idle: { pill: 'bg-hover text-ink-2', dot: 'bg-ink-3' },
  warn: { pill: 'bg-warn-soft text-warn-ink', dot: 'bg-warn-ink' },
  accent: { pill: 'bg-accent-soft text-accent-ink', dot: 'bg-accent' },
};

/** A label with a dot in the color of its tone. Red is reserved for live. */
export function StatusPill({ tone, children }: { tone: StatusTone; children: ReactNode }) {
  return (
    <span
      className={cn(
        'live-figure inline-flex h-6 max-w-full items-center gap-2 rounded-full px-2.5 text-xs font-medium whitespace-nowrap',
        tones[tone].pill,
      )}
    >
      <span aria-hidden="true" className={cn('size-1.5 shrink-0 rounded-full', tones[tone].dot)} />
      {children}
    </span>
  );
}
