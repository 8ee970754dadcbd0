import type { ReactNode } from 'react';
import { cn } from './class-names';

interface PanelProps {
  title?: string;
  description?: ReactNode;
  /** Sits at the right of the title. */
  action?: ReactNode;
  children: ReactNode;
  className?: string;
}

/** A bordered surface holding one thing. */
export function Panel({ title, description, action, children, className }: PanelProps) {
  return (
    <section
      className={cn('bg-surface min-w-0 rounded-lg border', className)}
      {...(title ? { 'aria-label': title } : {})}
    >
      {title && (
        <header className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3 px-4 pt-4 sm:px-6 sm:pt-5">
          <div className="min-w-0">
            <h2 className="text-lg font-semibold tracking-tight">{title}</h2>
            {description && <p className="text-ink-2 mt-0.5">{description}</p>}
          </div>
          {action}
        </header>
      )}
      <div className={cn('p-4 sm:p-6', title && 'pt-3 sm:pt-4')}>{children}</div>
    </section>
  );
}
