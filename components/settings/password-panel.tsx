'use client';

import { zodResolver } from '@hookform/resolvers/zod';
import { z } from 'zod';
import { useMemo, useState } from 'react';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import type { Translator } from '@/components/i18n/messages';
import { Field, Input } from '@/components/ui/form/field';
import { MutationForm, SubmitButton } from '@/components/ui/form/mutation-form';
import { type FormMutation, useMutationForm } from '@/components/ui/form/use-mutation-form';
import { Panel } from '@/components/ui/panel';
import { useChangePassword } from '@/lib/client/queries/account-queries';
import { signInWithPassword } from '@/lib/client/sign-in';

const schemaOf = (t: Translator<'settings.passwordPanel'>) =>
  z.object({
    currentPassword: z.string().min(1, { error: t('enterCurrentPassword') }),
    newPassword: z
      .string()
      .min(10, { error: t('tooShort') })
      .max(128, { error: t('tooLong') }),
  });

type PasswordChange = z.output<ReturnType<typeof schemaOf>>;

interface PasswordFormProps {
  /** Account name for password managers. */
  email: string;
  mutation: FormMutation;
  /** Resolves to true when the form may clear its fields. */
  onSubmit: (change: PasswordChange) => Promise<boolean>;
}

function PasswordForm({ email, mutation, onSubmit }: PasswordFormProps) {
  const t = useTranslations('settings.passwordPanel');
  const resolver = useMemo(() => zodResolver(schemaOf(t)), [t]);
  const form = useMutationForm({
    mutation,
    fields: ['currentPassword', 'newPassword'],
    resolver,
    defaultValues: { currentPassword: '', newPassword: '' },
  });
  const { errorOf, register } = form;
  const submit = async (change: PasswordChange) => {
    if (await onSubmit(change)) form.reset();
  };
  return (
    <MutationForm
      form={form}
      method="post"
      className="grid max-w-sm gap-5"
      actions={
        <div>
          <SubmitButton variant="secondary">{t('changePassword')}</SubmitButton>
        </div>
      }
      onSubmit={submit}
    >
      {/* Password managers store the new password for this account name. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <Field label={t('currentPassword')} error={errorOf('currentPassword')}>
        {(field) => (
          <Input
            {...field}
            {...register('currentPassword')}
            type="password"
            autoComplete="current-password"
          />
        )}
      </Field>
      <Field label={t('newPassword')} hint={t('newPasswordHint')} error={errorOf('newPassword')}>
        {(field) => (
          <Input {...field} {...register('newPassword')} type="password" autoComplete="new-password" />
        )}
      </Field>
    </MutationForm>
  );
}

/** Changes the password, which ends all sign-in sessions. This browser then signs in again with the new password. */
export function ChangePasswordPanel({ email }: { email: string }) {
  const t = useTranslations('settings.passwordPanel');
  const changePassword = useChangePassword();
  const [isSigningIn, setSigningIn] = useState(false);

  async function submit(input: PasswordChange): Promise<boolean> {
    try {
      await changePassword.mutateAsync(input);
    } catch {
      return false; // The error is shown at the fields.
    }
    setSigningIn(true);
    const rejection = await signInWithPassword({ email, password: input.newPassword });
    setSigningIn(false);
    if (rejection !== null) {
      window.location.assign('/login?next=%2Fsettings%2Fpassword');
      return true;
    }
    toast.success(t('passwordChanged'), { description: t('passwordChangedText') });
    return true;
  }

  return (
    <Panel title={t('password')} description={t('passwordText')}>
      <PasswordForm
        email={email}
        mutation={{ isPending: changePassword.isPending || isSigningIn, error: changePassword.error }}
        onSubmit={submit}
      />
    </Panel>
  );
}
