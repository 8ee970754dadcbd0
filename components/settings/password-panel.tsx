'use client';

import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { useMemo, useState } from 'react';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import type { Translator } from '@/components/i18n/messages';
import { Button } from '@/components/ui/button';
import { Field, FormError, Input } from '@/components/ui/form/field';
import { otherErrorMessages, errorMessageFor } from '@/components/ui/form/server-messages';
import { Panel } from '@/components/ui/panel';
import { errorMessagesOf } from '@/lib/client/call';
import { useChangePassword } from '@/lib/client/queries/account-queries';
import { openSession } from '@/lib/client/sign-in';

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
  pending: boolean;
  errorMessages: readonly string[];
  /** Resolves to true when the form may forget what was typed. */
  onSubmit: (change: PasswordChange) => Promise<boolean>;
}

function PasswordForm({ email, pending, errorMessages, onSubmit }: PasswordFormProps) {
  const t = useTranslations('settings.passwordPanel');
  const resolver = useMemo(() => zodResolver(schemaOf(t)), [t]);
  const { register, handleSubmit, formState, reset } = useForm<PasswordChange>({
    resolver,
    defaultValues: { currentPassword: '', newPassword: '' },
  });
  const submit = handleSubmit(async (change) => {
    if (await onSubmit(change)) reset();
  });
  const error = (field: keyof PasswordChange) =>
    formState.errors[field]?.message ?? errorMessageFor(field, errorMessages);
  return (
    <form noValidate method="post" onSubmit={(event) => void submit(event)} className="grid max-w-sm gap-5">
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <Field label={t('currentPassword')} error={error('currentPassword')}>
        {(field) => (
          <Input
            {...field}
            {...register('currentPassword')}
            type="password"
            autoComplete="current-password"
          />
        )}
      </Field>
      <Field label={t('newPassword')} hint={t('newPasswordHint')} error={error('newPassword')}>
        {(field) => (
          <Input {...field} {...register('newPassword')} type="password" autoComplete="new-password" />
        )}
      </Field>
      <FormError>{otherErrorMessages(['currentPassword', 'newPassword'], errorMessages)}</FormError>
      <div>
        <Button type="submit" pending={pending}>
          {t('changePassword')}
        </Button>
      </div>
    </form>
  );
}

/** Changes the password. That ends every session, so this browser logs in again with the new password. */
export function ChangePassword({ email }: { email: string }) {
  const t = useTranslations('settings.passwordPanel');
  const change = useChangePassword();
  const [opening, setOpening] = useState(false);

  async function submit(input: PasswordChange): Promise<boolean> {
    try {
      await change.mutateAsync(input);
    } catch {
      return false; // The fields show the error.
    }
    setOpening(true);
    const refusal = await openSession({ email, password: input.newPassword });
    setOpening(false);
    if (refusal !== null) {
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
        pending={change.isPending || opening}
        errorMessages={errorMessagesOf(change.error)}
        onSubmit={submit}
      />
    </Panel>
  );
}
