import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { clsx } from 'clsx';

interface ChoiceRowProps {
  label: string;
  value: number;
  onChange: (value: number) => void;
  /** Options of the <select>, in order. */
  children: readonly (readonly [value: number, label: string])[];
}

/** A row with a native <select>, which also works in full screen and on phones. */
export function ChoiceRow({ label, value, onChange, children }: ChoiceRowProps) {
  return (
    <label className={rowClasses}>
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

const rowClasses = 'flex min-h-10 items-center justify-between gap-3 rounded-sm px-2 pointer-coarse:min-h-12';

/** A row with a read-only value. */
export function FactRow({ label, children }: { label: string; children: ReactNode }) {
  return (
    <p className={rowClasses}>
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

/** A row with a slider for the volume. It is hidden on touch devices, which have volume buttons. */
export function SliderRow({ label, value, onChange }: SliderRowProps) {
  return (
    <label className={clsx(rowClasses, 'pointer-coarse:hidden')}>
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

/** A button with an icon. */
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
