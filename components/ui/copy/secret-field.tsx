'use client';

import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { Eye, EyeOff } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { Tooltip } from '@/components/ui/overlay/tooltip';
import { CopyField } from './copy-field';

/** Replaces characters with dots but keeps "-" and "_", so that the format of the secret stays recognizable. */
export function mask(secret: string): string {
  return secret.replace(/[^-_]/g, '•');
}

/** Time after which a revealed secret is hidden again. */
const HIDE_AFTER_MS = 30_000;

/** Whether a secret is revealed, and a function that toggles it. The secret is hidden again after 30 s. */
export function useReveal(): { revealed: boolean; toggle: () => void } {
  const [revealed, setRevealed] = useState(false);
  useEffect(() => {
    if (!revealed) return;
    const timer = setTimeout(() => setRevealed(false), HIDE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [revealed]);
  const toggle = useCallback(() => setRevealed((isRevealed) => !isRevealed), []);
  return { revealed, toggle };
}

interface SecretFieldProps {
  label: string;
  value: string;
  /** Content at the right of the label. */
  aside?: ReactNode;
  /** Text of a filled copy button; absent: the button is an icon. */
  copyText?: string;
}

/** A copy field with a masked value, which can be revealed for 30 s. */
export function SecretField({ label, value, aside, copyText }: SecretFieldProps) {
  const t = useTranslations('ui.secret');
  const { revealed, toggle } = useReveal();
  const Icon = revealed ? EyeOff : Eye;
  return (
    <CopyField
      label={label}
      value={value}
      aside={aside}
      copyText={copyText}
      displayValue={revealed ? value : mask(value)}
      actions={
        <Tooltip text={revealed ? t('hide') : t('revealBriefly')}>
          <Button
            variant="ghost"
            size="icon"
            aria-pressed={revealed}
            aria-label={t(revealed ? 'hideWhat' : 'revealWhat', { what: label })}
            onClick={toggle}
          >
            <Icon aria-hidden="true" />
          </Button>
        </Tooltip>
      }
    />
  );
}
