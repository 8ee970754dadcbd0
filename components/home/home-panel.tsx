import Link from 'next/link';
import type { ReactNode } from 'react';
import { cn } from '@/components/ui/class-names';

interface HomePanelProps {
  /** Accessible name of the section; default: the title. */
  label?: string;
  title: string;
  /** Small text beside the title. */
  note?: ReactNode;
  /** Link or button at the right of the title. */
  action?: ReactNode;
  /** Whether the content has no border and no padding, because it consists of cards or pictures. */
  isBorderless?: boolean;
  busy?: boolean;
  className?: string | undefined;
  children: ReactNode;
}

/** Section of the home page with a low header. */
export function HomePanel({
  label,
  title,
  note,
  action,
  isBorderless = false,
  busy = false,
  className,
  children,
}: HomePanelProps) {
  return (
    <section
      aria-label={label ?? title}
      {...(busy ? { 'aria-busy': true } : {})}
      className={cn('min-w-0', !isBorderless && 'bg-surface rounded-lg border', className)}
    >
      <header
        className={cn('flex min-h-9 items-center gap-x-3', isBorderless ? 'mb-1' : 'min-h-11 px-4 pt-0.5')}
      >
        <div className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2">
          <h2 className="text-base leading-5 font-semibold tracking-tight">{title}</h2>
          {note && <p className="text-ink-3 text-xs">{note}</p>}
        </div>
        {action}
      </header>
      {children}
    </section>
  );
}

/** Link at the right of the title of a panel. */
export function PanelLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link
      href={href}
      className="text-accent-ink inline-flex shrink-0 items-center rounded-sm text-sm font-medium whitespace-nowrap underline-offset-4 hover:underline pointer-coarse:min-h-11"
    >
      {children}
    </Link>
  );
}
