'use client';

import { Label } from 'radix-ui';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { cn } from '@/components/ui/class-names';

interface FieldProps {
  label: string;
  hint?: ReactNode;
  /** Error message of the service or of the form, announced when it appears. */
  error?: string | undefined;
  /** @param control attributes that connect the control with its label, hint and error */
  children: (control: {
    id: string;
    'aria-describedby': string | undefined;
    'aria-invalid': boolean;
  }) => ReactNode;
}

/** A form field: label, control, hint and error. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const describedBy = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ');
  return (
    <div className="grid min-w-0 grid-cols-1 content-start gap-1.5">
      <Label.Root htmlFor={id} className="text-sm font-medium">
        {label}
      </Label.Root>
      {children({ id, 'aria-describedby': describedBy || undefined, 'aria-invalid': Boolean(error) })}
      {hint && (
        <p id={`${id}-hint`} className="text-ink-3 text-sm">
          {hint}
        </p>
      )}
      <p id={`${id}-error`} role="alert" className="text-live-ink text-sm empty:hidden">
        {error}
      </p>
    </div>
  );
}

/** Error of the form as a whole, shown next to the button. */
export function FormError({ children }: { children: string | undefined }) {
  return (
    <p role="alert" className="bg-live-soft text-live-ink rounded-md px-3 py-2 empty:hidden">
      {children}
    </p>
  );
}

export function Input({ className, ...props }: ComponentProps<'input'>) {
  return (
    <input
      className={cn(
        'border-line-field bg-surface text-ink placeholder:text-ink-3 aria-invalid:border-danger dark:bg-sunken focus-visible:border-accent focus-visible:outline-accent h-9 w-full min-w-0 rounded-md border px-3 text-base transition-colors focus-visible:outline-2 focus-visible:outline-offset-0 disabled:opacity-60 max-sm:h-10 max-sm:text-[1rem] pointer-coarse:h-11',
        className,
      )}
      {...props}
    />
  );
}

/** Multiline text, monospaced, so that columns align. */
export function Textarea({ className, ...props }: ComponentProps<'textarea'>) {
  return (
    <textarea
      className={cn(
        'border-line-field bg-surface text-ink placeholder:text-ink-3 aria-invalid:border-danger dark:bg-sunken focus-visible:border-accent focus-visible:outline-accent w-full min-w-0 rounded-md border px-3 py-2 font-mono text-sm focus-visible:outline-2 focus-visible:outline-offset-0 max-sm:text-[1rem]',
        className,
      )}
      {...props}
    />
  );
}

/** A native select, which works with every keyboard, screen reader and phone. */
export function Select({ className, ...props }: ComponentProps<'select'>) {
  return (
    <select
      className={cn(
        'border-line-field bg-surface text-ink dark:bg-sunken focus-visible:border-accent focus-visible:outline-accent h-9 w-full rounded-md border px-2.5 text-base transition-colors focus-visible:outline-2 focus-visible:outline-offset-0 disabled:opacity-60 max-sm:h-10 max-sm:text-[1rem] pointer-coarse:h-11',
        className,
      )}
      {...props}
    />
  );
}
