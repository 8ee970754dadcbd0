'use client';

import { useCallback, useEffect, useRef, useState } from 'react';
import { Check, Copy } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { cn } from '@/components/ui/class-names';

/**
 * Copies with a hidden text field, for pages without the clipboard API (http on a host other than localhost).
 * @returns whether the text was copied
 */
function copyWithExecCommand(text: string): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  field.style.position = 'fixed';
  field.style.opacity = '0';
  // The focus must stay inside an open dialog.
  (document.querySelector('[role="dialog"]') ?? document.body).append(field);
  field.select();
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- the only way without a secure context
  const wasCopied = document.execCommand('copy');
  field.remove();
  return wasCopied;
}

/** Copies text to the clipboard; false if the browser does not allow it. */
export async function copyText(text: string): Promise<boolean> {
  if (!window.isSecureContext) return copyWithExecCommand(text);
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyWithExecCommand(text);
  }
}

/** Copies text; `copied` stays true for 2 s, long enough to be noticed. */
function useCopy(): { copied: boolean; copy: (text: string) => Promise<boolean> } {
  const [copied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = useCallback(async (text: string) => {
    const wasCopied = await copyText(text);
    clearTimeout(timer.current);
    setCopied(wasCopied);
    timer.current = setTimeout(() => setCopied(false), 2000);
    return wasCopied;
  }, []);
  return { copied, copy };
}

interface CopyButtonProps {
  value: string;
  /** Accessible name with the copied value: "Copy stream key". */
  label: string;
  /** Text beside the icon. */
  text?: string;
  /** Whether copying is the primary action of the page: the button is filled. */
  primary?: boolean;
  className?: string;
}

export function CopyButton({ value, label, text, primary = false, className }: CopyButtonProps) {
  const t = useTranslations('ui.copy');
  const { copied, copy } = useCopy();
  const Icon = copied ? Check : Copy;
  return (
    <button
      type="button"
      aria-label={copied ? t('copied') : label}
      onClick={() => void copy(value)}
      className={cn(
        'inline-flex h-8 shrink-0 items-center gap-1.5 rounded-md text-sm font-medium transition-colors pointer-coarse:h-11 pointer-coarse:min-w-11 pointer-coarse:justify-center',
        primary
          ? 'bg-accent text-on-accent hover:bg-accent-hover px-3'
          : 'text-ink-2 hover:bg-hover hover:text-ink px-2',
        copied && !primary && 'text-accent-ink hover:text-accent-ink',
        className,
      )}
    >
      <Icon aria-hidden="true" className="size-4" />
      {text && <span>{copied ? t('copied') : text}</span>}
      <span aria-live="polite" className="sr-only">
        {copied ? t('copiedToClipboard') : ''}
      </span>
    </button>
  );
}
