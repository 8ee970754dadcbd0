import type { ComponentProps } from 'react';
import { cn } from './class-names';

/** The browser's own list: it works with every keyboard, screen reader and phone. */
export function Select({ className, ...props }: ComponentProps<'select'>) {
  return (
    <select
      className={cn(
        'border-line-field bg-surface text-ink dark:bg-sunken focus-visible:border-accent focus-visible:outline-accent h-9 w-full rounded-md border px-2.5 text-base transition-colors focus-visible:outline-2 focus-visible:outline-offset-0 disabled:opacity-60 max-sm:h-10 max-sm:text-[1rem]',
        className,
      )}
      {...props}
    />
  );
}
