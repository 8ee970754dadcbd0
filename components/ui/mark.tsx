import { clsx } from 'clsx';

/** The logo: three lines becoming one stream. Drawn on a 24-unit grid in the text color. */
export function LogoMark({ className = 'size-6' }: { className?: string }) {
  return (
    <svg viewBox="0 0 24 24" fill="none" aria-hidden="true" className={clsx('shrink-0', className)}>
      <g stroke="currentColor" strokeWidth="2.25" strokeLinecap="round">
        <path d="M2.5 5C9 5 9.5 12 15 12" />
        <path d="M2.5 12H21.5" />
        <path d="M2.5 19C9 19 9.5 12 15 12" />
      </g>
    </svg>
  );
}

/** Logo and name side by side; `small` for footers. */
export function Wordmark({ small = false }: { small?: boolean }) {
  return (
    <span
      className={clsx(
        'inline-flex items-center tracking-tight',
        small ? 'gap-2 font-medium' : 'gap-2.5 text-lg font-semibold',
      )}
    >
      <LogoMark className={clsx('text-accent', small ? 'size-4' : 'size-6')} />
      Headwater
    </span>
  );
}
