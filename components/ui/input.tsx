import type { ComponentProps } from 'react';
import { cn } from './class-names';

export function Input({ className, ...props }: ComponentProps<'input'>) {
  return (
    <input
      className={cn(
        'border-line-field bg-surface text-ink placeholder:text-ink-3 aria-invalid:border-danger dark:bg-sunken focus-visible:border-accent focus-visible:outline-accent h-9 w-full rounded-md border px-3 text-base transition-colors focus-visible:outline-2 focus-visible:outline-offset-0 disabled:opacity-60 max-sm:h-10 max-sm:text-[1rem]',
        className,
      )}
      {...props}
    />
  );
}
