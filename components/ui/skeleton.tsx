import { cn } from './class-names';

/** A placeholder for content that loads. Its opacity pulses; `className` gives it the size of the content. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span aria-hidden="true" className={cn('bg-hover animate-breathe inline-block rounded-sm', className)} />
  );
}
