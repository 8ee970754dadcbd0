import { cn } from './class-names';

/** A still shape where data will be; takes exactly the room of what replaces it. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span aria-hidden="true" className={cn('bg-hover animate-breathe inline-block rounded-sm', className)} />
  );
}
