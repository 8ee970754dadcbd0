'use client';

import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { CopyButton } from './copy-button';

interface CopyFieldProps {
  label: string;
  value: string;
  /** Text shown instead of the value. */
  displayValue?: string;
  /** Buttons before the copy button. */
  actions?: ReactNode;
  /** Content at the right of the label. */
  aside?: ReactNode;
  /** Text of a filled copy button; absent: the button is an icon. */
  copyText?: string | undefined;
}

/** A labelled value in a monospaced font with a copy button; long values scroll. */
export function CopyField({ label, value, displayValue, actions, aside, copyText }: CopyFieldProps) {
  const t = useTranslations('ui.copy');
  return (
    <div className="min-w-0">
      <div className="text-ink-2 mb-1.5 flex items-center justify-between gap-3 text-sm">
        {label}
        {aside}
      </div>
      <div className="bg-sunken flex h-10 items-center rounded-md border pr-1 pointer-coarse:h-13">
        <div
          tabIndex={0}
          role="group"
          aria-label={label}
          className="scroll-quiet min-w-0 flex-1 rounded-l-md px-3 py-2 font-mono text-sm whitespace-nowrap"
        >
          {displayValue ?? value}
        </div>
        {actions}
        {copyText === undefined ? (
          <CopyButton value={value} label={t('copyWhat', { what: label })} />
        ) : (
          <CopyButton primary value={value} label={copyText} text={copyText} />
        )}
      </div>
    </div>
  );
}
