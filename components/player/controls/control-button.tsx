import type { ReactNode, Ref } from 'react';
import { clsx } from 'clsx';

interface ControlButtonProps {
  label: string;
  onClick: () => void;
  /** State of a toggle button. */
  pressed?: boolean | undefined;
  /** State of a button that opens a panel. */
  expanded?: boolean | undefined;
  className?: string | undefined;
  ref?: Ref<HTMLButtonElement> | undefined;
  children: ReactNode;
}

/** A button of the bar: an icon with an accessible name, large enough for fingers on touch screens. */
export function ControlButton(props: ControlButtonProps) {
  const { label, onClick, pressed, expanded, className, ref, children } = props;
  return (
    <button
      ref={ref}
      type="button"
      aria-label={label}
      title={label}
      aria-pressed={pressed}
      aria-expanded={expanded}
      onClick={onClick}
      className={clsx(
        'inline-flex size-9 shrink-0 items-center justify-center rounded-md hover:bg-white/15 focus-visible:outline-offset-[-2px] focus-visible:outline-white aria-pressed:text-accent pointer-coarse:size-11 [&_svg]:size-[18px]',
        className,
      )}
    >
      {children}
    </button>
  );
}
