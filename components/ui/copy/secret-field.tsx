'use client';

import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { Eye, EyeOff } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { Tooltip } from '@/components/ui/overlay/tooltip';
import { CopyField } from './copy-field';

/** Dots of the same length; separators stay, so that the shape of a key is still seen. */
export function mask(secret: string): string {
  return secret.replace(/[^-_]/g, '•');
}

/** A secret in sight is hidden again after this long. */
const HIDE_AFTER_MS = 30_000;

/** Whether a secret is in sight. */
export function useReveal(): { revealed: boolean; toggle: () => void } {
  const [revealed, setRevealed] = useState(false);
  useEffect(() => {
    if (!revealed) return;
    const timer = setTimeout(() => setRevealed(false), HIDE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [revealed]);
  const toggle = useCallback(() => setRevealed((now) => !now), []);
  return { revealed, toggle };
}

interface SecretFieldProps {
  label: string;
  value: string;
  /** At the right of the label. */
  aside?: ReactNode;
}

/** A copy field whose value is dots until asked for, and again 30 s later. */
export function SecretField({ label, value, aside }: SecretFieldProps) {
  const t = useTranslations('ui.secret');
  const { revealed, toggle } = useReveal();
  const Icon = revealed ? EyeOff : Eye;
  return (
    <CopyField
      label={label}
      value={value}
      aside={aside}
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
