import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { clsx } from 'clsx';

interface ChoiceRowProps {
  label: string;
  value: number;
  onChange: (value: number) => void;
  children: readonly (readonly [value: number, label: string])[];
}

/** A native <select>, which also works in full screen and on phones. */
export function ChoiceRow({ label, value, onChange, children }: ChoiceRowProps) {
  return (
    <label className={row}>
      {label}
      <select
        value={value}
        onChange={(event) => onChange(Number(event.target.value))}
        className="bg-sunken h-8 w-36 cursor-pointer truncate rounded-md border px-2 text-sm pointer-coarse:h-11 pointer-coarse:text-base"
      >
        {children.map(([choice, text]) => (
          <option key={choice} value={choice}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

const row = 'flex min-h-10 items-center justify-between gap-3 rounded-sm px-2 pointer-coarse:min-h-12';

/** A read-only value. */
export function FactRow({ label, children }: { label: string; children: ReactNode }) {
  return (
    <p className={row}>
      {label}
      <span className="font-mono text-xs tabular-nums">{children}</span>
    </p>
  );
}

interface SliderRowProps {
  label: string;
  /** Value from 0 to 1. */
  value: number;
  onChange: (value: number) => void;
}

/** Hidden on touch devices, which have volume buttons. */
export function SliderRow({ label, value, onChange }: SliderRowProps) {
  return (
    <label className={clsx(row, 'pointer-coarse:hidden')}>
      {label}
      <input
        type="range"
        min={0}
        max={1}
        step={0.05}
        value={value}
        onChange={(event) => onChange(Number(event.target.value))}
        className="accent-accent w-36"
      />
    </label>
  );
}

interface ActionRowProps {
  icon: LucideIcon;
  onClick: () => void;
  className?: string;
  children: string;
}

/** An action that closes the settings. */
export function ActionRow({ icon: Icon, onClick, className, children }: ActionRowProps) {
  return (
    <button
      type="button"
      onClick={onClick}
      className={clsx(
        'hover:bg-hover flex min-h-9 w-full items-center gap-2.5 rounded-sm px-2 text-left pointer-coarse:min-h-11',
        className,
      )}
    >
      <Icon aria-hidden="true" className="text-ink-3 size-4" />
      {children}
    </button>
  );
}
