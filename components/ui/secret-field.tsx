'use client';

import { Eye, EyeOff } from 'lucide-react';
import { Button } from './button';
import { CopyField } from './copy-field';
import { mask } from './mask';
import { Tooltip } from './tooltip';
import { useReveal } from './use-reveal';

/** A copy field whose value is dots until asked for, and again 30 s later. */
export function SecretField({ label, value }: { label: string; value: string }) {
  const { revealed, toggle } = useReveal();
  const Icon = revealed ? EyeOff : Eye;
  return (
    <CopyField
      label={label}
      value={value}
      shown={revealed ? value : mask(value)}
      actions={
        <Tooltip text={revealed ? 'Hide' : 'Reveal for 30 seconds'}>
          <Button
            variant="ghost"
            size="icon"
            aria-pressed={revealed}
            aria-label={`${revealed ? 'Hide' : 'Reveal'} ${label.toLowerCase()}`}
            onClick={toggle}
          >
            <Icon aria-hidden="true" />
          </Button>
        </Tooltip>
      }
    />
  );
}
