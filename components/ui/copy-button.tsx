'use client';

import { Check, Copy } from 'lucide-react';
import { cn } from './class-names';
import { useCopy } from './use-copy';

interface CopyButtonProps {
  value: string;
  /** Accessible name that says what is copied: "Copy stream key". */
  label: string;
  /** Shown beside the icon. */
  text?: string;
  className?: string;
}

export function CopyButton({ value, label, text, className }: CopyButtonProps) {
  const { copied, copy } = useCopy();
  const Icon = copied ? Check : Copy;
  return (
    <button
      type="button"
      aria-label={copied ? 'Copied' : label}
      onClick={() => void copy(value)}
      className={cn(
        'text-ink-2 hover:bg-hover hover:text-ink inline-flex h-8 shrink-0 items-center gap-1.5 rounded-md px-2 text-sm font-medium transition-colors',
        copied && 'text-accent-ink hover:text-accent-ink',
        className,
      )}
    >
      <Icon aria-hidden="true" className="size-4" />
      {text && <span>{copied ? 'Copied' : text}</span>}
      <span aria-live="polite" className="sr-only">
        {copied ? 'Copied to the clipboard' : ''}
      </span>
    </button>
  );
}
