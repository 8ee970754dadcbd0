import { cn } from './class-names';

interface ProgressBarProps {
  /** Accessible name. */
  label: string;
  /** 0 to 1; null: running, progress unknown. */
  value: number | null;
  /** Whether the bar is not animated, because the work is paused or waits. */
  isStill?: boolean;
  className?: string;
}

/** Bar that shows how much of some work is done. */
export function ProgressBar({ label, value, isStill = false, className }: ProgressBarProps) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      {...(value === null ? {} : { 'aria-valuenow': Math.floor(value * 100) })}
      className={cn('bg-hover h-1 overflow-hidden rounded-full', className)}
    >
      <div
        className={cn(
          'h-full rounded-full transition-[width] duration-300',
          isStill ? 'bg-ink-3' : 'bg-accent',
          value === null && 'animate-breathe w-full opacity-60',
        )}
        {...(value === null ? {} : { style: { width: `${value * 100}%` } })}
      />
    </div>
  );
}
