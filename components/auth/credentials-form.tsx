'use client';

import { useTranslations } from 'use-intl';
import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import type { Translator } from '@/components/i18n/messages';
import { Button } from '@/components/ui/button';
import { FieldsWhenReady } from '@/components/ui/form/fields-when-ready';
import { Field, FormError, Input } from '@/components/ui/form/field';
import type { Credentials } from '@/lib/client/sign-in';
import { otherErrorMessages, errorMessageFor } from '@/components/ui/form/server-messages';

type Purpose = 'log-in' | 'sign-up';

function formFor(purpose: Purpose, t: Translator<'auth.form'>) {
  const password =
    purpose === 'log-in'
      ? z.string().min(1, { error: t('passwordMissing') })
      : z
          .string()
          .min(10, { error: t('passwordShort') })
          .max(128, { error: t('passwordLong') });
  return z.object({ email: z.email({ error: t('emailMissing') }), password });
}

interface CredentialsFormProps {
  purpose: Purpose;
  /** Email address of the invitation. */
  email?: string | undefined;
  pending: boolean;
  /** Error messages of the service. */
  errorMessages: readonly string[];
  onSubmit: (credentials: Credentials) => void;
}

/** Email and password; what was typed stays after a refusal. */
export function CredentialsForm({
  purpose,
  email = '',
  pending,
  errorMessages,
  onSubmit,
}: CredentialsFormProps) {
  const t = useTranslations('auth.form');
  const { register, handleSubmit, formState } = useForm<Credentials>({
    resolver: zodResolver(formFor(purpose, t)),
    defaultValues: { email, password: '' },
  });
  const submit = handleSubmit((values) => onSubmit(values));
  const signingUp = purpose === 'sign-up';
  return (
    // Without scripts, GET would put the password into the URL; POST does not.
    <form noValidate method="post" onSubmit={(event) => void submit(event)}>
      <FieldsWhenReady>
        <Field
          label={t('email')}
          error={formState.errors.email?.message ?? errorMessageFor('email', errorMessages)}
        >
          {(field) => (
            <Input
              {...field}
              {...register('email')}
              type="email"
              // Makes browsers offer passkeys in this field.
              autoComplete={signingUp ? 'username' : 'username webauthn'}
              autoCapitalize="none"
              spellCheck={false}
            />
          )}
        </Field>
        <Field
          label={t('password')}
          hint={signingUp ? t('passwordHint') : undefined}
          error={formState.errors.password?.message ?? errorMessageFor('password', errorMessages)}
        >
          {(field) => (
            <Input
              {...field}
              {...register('password')}
              type="password"
              autoComplete={signingUp ? 'new-password' : 'current-password'}
            />
          )}
        </Field>
        <FormError>{otherErrorMessages(['email', 'password'], errorMessages)}</FormError>
        <Button type="submit" variant="primary" size="lg" pending={pending} className="w-full">
          {signingUp ? t('createAccount') : t('logIn')}
        </Button>
      </FieldsWhenReady>
    </form>
  );
}
