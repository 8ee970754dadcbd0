'use client';

import { useTranslations } from 'use-intl';
import { zodResolver } from '@hookform/resolvers/zod';
import { z } from 'zod';
import type { Translator } from '@/components/i18n/messages';
import { FieldsAfterHydration } from '@/components/ui/form/fields-after-hydration';
import { Field, FormError, Input } from '@/components/ui/form/field';
import type { Credentials } from '@/lib/client/sign-in';
import { MutationForm, SubmitButton } from '@/components/ui/form/mutation-form';
import { type FormMutation, useMutationForm } from '@/components/ui/form/use-mutation-form';

type Purpose = 'log-in' | 'sign-up';

/** Form schema. The limits for a new password are those of the API; an existing password may be older than them. */
function credentialsSchema(purpose: Purpose, t: Translator<'auth.form'>) {
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
  mutation: FormMutation;
  onSubmit: (credentials: Credentials) => void;
}

/** Fields for email and password. The input is kept if the service rejects it. */
export function CredentialsForm({ purpose, email = '', mutation, onSubmit }: CredentialsFormProps) {
  const t = useTranslations('auth.form');
  const form = useMutationForm({
    mutation,
    fields: ['email', 'password'],
    resolver: zodResolver(credentialsSchema(purpose, t)),
    defaultValues: { email, password: '' },
  });
  const { errorOf, register } = form;
  const isSigningUp = purpose === 'sign-up';
  return (
    // Before hydration, GET would put the password into the URL.
    <MutationForm form={form} method="post" className="" actions={null} onSubmit={onSubmit}>
      <FieldsAfterHydration>
        <Field label={t('email')} error={errorOf('email')}>
          {(field) => (
            <Input
              {...field}
              {...register('email')}
              type="email"
              // Makes browsers offer passkeys in this field.
              autoComplete={isSigningUp ? 'username' : 'username webauthn'}
              autoCapitalize="none"
              spellCheck={false}
            />
          )}
        </Field>
        <Field
          label={t('password')}
          hint={isSigningUp ? t('passwordHint') : undefined}
          error={errorOf('password')}
        >
          {(field) => (
            <Input
              {...field}
              {...register('password')}
              type="password"
              autoComplete={isSigningUp ? 'new-password' : 'current-password'}
            />
          )}
        </Field>
        <FormError>{form.otherErrors}</FormError>
        <SubmitButton size="lg" className="w-full">
          {isSigningUp ? t('createAccount') : t('logIn')}
        </SubmitButton>
      </FieldsAfterHydration>
    </MutationForm>
  );
}
