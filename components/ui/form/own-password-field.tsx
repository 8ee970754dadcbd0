'use client';

import { useTranslations } from 'use-intl';
import { Field, Input } from './field';

interface OwnPasswordFieldProps {
  value: string;
  error: string | undefined;
  onChange: (password: string) => void;
}

/** Asks for the password of the person who is logged in, before something that needs it. */
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
