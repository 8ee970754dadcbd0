import type { ReactNode } from 'react';
import { clsx } from 'clsx';

interface PillButtonProps {
  onClick: () => void;
  large?: boolean;
  children: ReactNode;
}

/** A labelled button over the video. */
export function PillButton({ onClick, large = false, children }: PillButtonProps) {
  return (
    <button
      type="button"
      onClick={onClick}
      className={clsx(
        'inline-flex items-center gap-2 rounded-lg bg-black/70 text-sm font-medium text-white hover:bg-black/85 focus-visible:outline-white pointer-coarse:h-11',
        large ? 'h-11 px-4' : 'h-9 px-3',
      )}
    >
      {children}
    </button>
  );
}
