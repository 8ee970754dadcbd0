import { ArrowLeft } from 'lucide-react';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { OutdatedSince } from './outdated-since';
import { cn } from './class-names';

/** Link from the page of an object to its list. */
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

interface HeaderProps {
  title: ReactNode;
  description?: ReactNode;
  /** The primary action of the page. */
  action?: ReactNode;
}

interface ObjectHeaderProps extends HeaderProps {
  /** The list that contains the object. */
  back: { readonly href: string; readonly label: string };
}

/** Header of an object's page: name and actions in one row, state in the next. */
export function ObjectHeader({ back, title, description, action }: ObjectHeaderProps) {
  return (
    <header className="relative mb-3 grid grid-cols-[minmax(0,1fr)] gap-y-1 max-sm:gap-y-2">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="flex min-w-0 flex-1 basis-40 items-center gap-2">
          <Link
            href={back.href}
            aria-label={back.label}
            title={back.label}
            className="text-ink-2 hover:bg-hover hover:text-ink -ml-2 grid size-8 shrink-0 place-items-center rounded-md max-sm:size-11"
          >
            <ArrowLeft aria-hidden="true" className="size-4" />
          </Link>
          <h1 className="min-w-0 text-xl font-semibold tracking-tight wrap-anywhere">{title}</h1>
          <OutdatedSince />
        </div>
        {action && <div className="flex flex-wrap items-center gap-2">{action}</div>}
      </div>
      <div className="text-ink-2">{description}</div>
    </header>
  );
}

/** Name of an object in one line; a long name is cut off and shown in full as a tooltip. */
export function ObjectTitle({ name }: { name: string }) {
  return (
    <span title={name} className="block min-w-0 truncate">
      {name}
    </span>
  );
}

interface PageHeaderProps extends HeaderProps {
  /** Tabs that link to the pages beside this one. */
  nav?: ReactNode;
}

/** Header of a page: title and action in one row, then tabs that link to the pages beside it. */
export function PageHeader({ nav, ...titleProps }: PageHeaderProps) {
  if (!nav) return <PageTitle {...titleProps} className="mb-6" />;
  return (
    <>
      <PageTitle {...titleProps} className="mb-4" />
      {nav}
    </>
  );
}

function PageTitle({ title, description, action, className }: HeaderProps & { className: string }) {
  return (
    <header className={cn('relative flex flex-wrap items-start justify-between gap-x-6 gap-y-4', className)}>
      {/* The text wraps before the action moves to the next line. */}
      <div className="min-w-0 sm:flex-1 sm:basis-80">
        <div className="flex items-baseline gap-3">
          <h1 className="min-w-0 text-2xl font-semibold tracking-tight wrap-anywhere">{title}</h1>
          <OutdatedSince />
        </div>
        {description && (
          // A sentence gets a readable width. A row of facts uses the available width.
          <p className={cn('text-ink-2 mt-1', typeof description === 'string' && 'max-w-prose')}>
            {description}
          </p>
        )}
      </div>
      {action && <div className="flex items-center gap-2">{action}</div>}
    </header>
  );
}
