import { cn } from './class-names';

/** A placeholder without animation, in the size of the content. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span aria-hidden="true" className={cn('bg-hover animate-breathe inline-block rounded-sm', className)} />
  );
}
