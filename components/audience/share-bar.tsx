interface ShareBarProps {
  name: string;
  /** Share from 0 to 1. */
  share: number;
  /** Formatted share, such as "61 %". */
  label: string;
}

/** Row of a list of shares. */
export function ShareBar({ name, share, label }: ShareBarProps) {
  return (
    <li className="grid min-h-7 grid-cols-[minmax(0,1fr)_5rem_3.25rem] items-center gap-3 text-sm">
      <span className="min-w-0 wrap-anywhere">{name}</span>
      <span aria-hidden="true" className="bg-sunken h-1.5 overflow-hidden rounded-full">
        <span className="bg-accent block h-full" style={{ width: `${share * 100}%` }} />
      </span>
      <span className="text-ink-2 text-right tabular-nums">{label}</span>
    </li>
  );
}
