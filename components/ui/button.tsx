'use client';

import { Slot } from 'radix-ui';
import type { ComponentProps, MouseEvent } from 'react';
import { cn } from './class-names';

const commonClasses =
  'inline-flex shrink-0 select-none items-center justify-center gap-2 rounded-md font-medium whitespace-nowrap transition-colors disabled:pointer-events-none disabled:opacity-50 aria-busy:pointer-events-none aria-busy:opacity-70 [&_svg]:size-4 [&_svg]:shrink-0';

const variants = {
  primary: 'bg-accent text-on-accent hover:bg-accent-hover',
  secondary: 'border border-line bg-surface text-ink hover:bg-hover',
  ghost: 'text-ink-2 hover:bg-hover hover:text-ink',
  danger: 'bg-danger text-white hover:bg-danger-hover',
} as const;

// Touch targets need 44 px.
const sizes = {
  sm: 'h-8 px-3 text-sm pointer-coarse:h-11',
  md: 'h-9 px-4 text-base pointer-coarse:h-11',
  lg: 'h-10 px-5 text-base pointer-coarse:h-11',
  icon: 'size-8 max-sm:size-11 pointer-coarse:size-11',
} as const;

type ButtonProps = ComponentProps<'button'> & {
  variant?: keyof typeof variants | undefined;
  size?: keyof typeof sizes | undefined;
  /** Renders the child (a link) with the style of a button. */
  asChild?: boolean;
  /** Whether an action is running: the button keeps its size and focus, and ignores clicks. */
  pending?: boolean;
};

export function Button({
  className,
  variant = 'secondary',
  size = 'md',
  asChild,
  pending,
  type,
  ...props
}: ButtonProps) {
  const Component = asChild ? Slot.Root : 'button';
  return (
    <Component
      {...(asChild ? {} : { type: type ?? 'button' })}
      className={cn(commonClasses, variants[variant], sizes[size], className)}
      {...props}
      {...(pending ? { 'aria-busy': true, onClick: ignoreClick } : {})}
    />
  );
}

/** Ignores a click while an action is running, also one by the space bar or by Enter in a field. */
function ignoreClick(event: MouseEvent) {
  event.preventDefault();
}
