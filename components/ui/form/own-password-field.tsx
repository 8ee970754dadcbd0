'use client';

import { useTranslations } from 'use-intl';
import { Field, Input } from './field';

interface OwnPasswordFieldProps {
  value: string;
  error: string | undefined;
  onChange: (password: string) => void;
}

/** Asks the logged-in person for their password before a protected action. */
export function OwnPasswordField({ value, error, onChange }: OwnPasswordFieldProps) {
  const t = useTranslations('ui.ownPasswordField');
  return (
    <Field label={t('yourPassword')} error={error}>
      {(control) => (
        <Input
          {...control}
          type="password"
          autoComplete="current-password"
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
