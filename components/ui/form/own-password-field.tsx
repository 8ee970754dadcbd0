'use client';

import type { UseFormRegisterReturn } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { Field, Input } from './field';

interface OwnPasswordFieldProps {
  /** Registers the field in its form. */
  registration: UseFormRegisterReturn;
  error: string | undefined;
}

/** Field for the password of the signed-in person. */
export function OwnPasswordField({ registration, error }: OwnPasswordFieldProps) {
  const t = useTranslations('ui.ownPasswordField');
  return (
    <Field label={t('yourPassword')} error={error}>
      {(field) => <Input {...field} {...registration} type="password" autoComplete="current-password" />}
    </Field>
  );
}
