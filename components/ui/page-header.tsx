import { ArrowLeft } from 'lucide-react';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { AsOf } from './as-of';
import { cn } from './class-names';

/** From the page of one thing to the list of all. */
export function BackLink({ href, children }: { href: string; children: string }) {
  return (
    <Link
      href={href}
      className="text-ink-2 hover:text-ink mb-3 inline-flex items-center gap-1.5 rounded-sm text-sm"
    >
      <ArrowLeft aria-hidden="true" className="size-4" />
      {children}
    </Link>
  );
}

interface PageHeaderProps {
  title: ReactNode;
  description?: ReactNode;
  /** The one primary action of the page. */
  action?: ReactNode;
}

export function PageHeader({ title, description, action }: PageHeaderProps) {
  return (
    <header className="relative mb-6 flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
      {/* Wraps its own lines before the action has to go below. */}
      <div className="min-w-0 sm:flex-1 sm:basis-80">
        <div className="flex items-baseline gap-3">
          <h1 className="min-w-0 text-2xl font-semibold tracking-tight wrap-anywhere">{title}</h1>
          <AsOf />
        </div>
        {description && (
          // A sentence stays short enough to read; a row of facts takes the room there is.
          <p className={cn('text-ink-2 mt-1', typeof description === 'string' && 'max-w-prose')}>
            {description}
          </p>
        )}
      </div>
      {action && <div className="flex items-center gap-2">{action}</div>}
    </header>
  );
}
