import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { cn } from './class-names';
import { CopyButton } from './copy/copy-button';

interface PanelProps {
  /** Element id, as the target of links on the page. */
  id?: string;
  title?: string;
  description?: ReactNode;
  /** Content at the right of the title. */
  action?: ReactNode;
  /** Whether the paddings are small, for a page with many panels. */
  dense?: boolean;
  children: ReactNode;
  className?: string;
}

/** A bordered section with a title. */
export function Panel({ id, title, description, action, dense = false, children, className }: PanelProps) {
  return (
    <section
      id={id}
      className={cn('bg-surface min-w-0 rounded-lg border', id && 'scroll-mt-20', className)}
      {...(title ? { 'aria-label': title } : {})}
    >
      {title && (
        <header
          className={cn(
            'flex items-start justify-between gap-x-4 gap-y-3 px-4',
            // A dense panel has a short link at the right, beside a description that wraps.
            dense ? 'pt-3' : 'flex-wrap pt-4 sm:px-6 sm:pt-5',
          )}
        >
          <div className={cn('min-w-0', dense && 'flex flex-wrap items-baseline gap-x-2')}>
            <h2 className="text-lg font-semibold tracking-tight wrap-anywhere">{title}</h2>
            {description && <p className={cn('text-ink-2', dense ? 'text-sm' : 'mt-0.5')}>{description}</p>}
          </div>
          {action}
        </header>
      )}
      <div className={cn(dense ? 'p-4' : 'p-4 sm:p-6', title && (dense ? 'pt-3' : 'pt-3 sm:pt-4'))}>
        {children}
      </div>
    </section>
  );
}

/** List of facts: names at the left, values at the right, separated by lines. */
export function FactList({ children }: { children: ReactNode }) {
  return <dl className="-my-2 divide-y">{children}</dl>;
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex min-h-10 items-center justify-between gap-4 py-1">
      <dt className="text-ink-2 shrink-0">{name}</dt>
      <dd className="min-w-0 text-right wrap-anywhere">{children}</dd>
    </div>
  );
}

/** A long id that is shortened in the middle. `label`: name of the copied value. */
export function FactId({ value, label }: { value: string; label: string }) {
  const t = useTranslations('ui.copy');
  return (
    <span className="flex min-w-0 items-center justify-end gap-1">
      <span className="truncate font-mono text-sm" title={value}>
        {value.length > 20 ? `${value.slice(0, 8)}…${value.slice(-6)}` : value}
      </span>
      <CopyButton value={value} label={t('copyWhat', { what: label })} className="-mr-2" />
    </span>
  );
}
