'use client';

import { MutationForm } from '@/components/ui/form/mutation-form';
import { type FormMutation, useMutationForm } from '@/components/ui/form/use-mutation-form';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { Field, Input } from '@/components/ui/form/field';
import { OwnPasswordField } from '@/components/ui/form/own-password-field';
import { Dialog } from '@/components/ui/overlay/dialog';
import { useChangeEmail } from '@/lib/client/queries/account-queries';

/** Dialog that changes the email address: immediately, or after a link in an email was opened. */
export function ChangeEmailDialog() {
  const t = useTranslations('settings.accountPanel');
  const router = useRouter();
  const [open, setOpen] = useState(false);
  const changeEmail = useChangeEmail();
  const changeOpen = (isOpen: boolean) => {
    changeEmail.reset();
    setOpen(isOpen);
  };
  const submit = (input: { email: string; password: string }) => {
    const { email } = input;
    const onSuccess = ({ confirmationSent }: { confirmationSent: boolean }) => {
      changeOpen(false);
      // Without a mail server, the service changes the address without a confirmation.
      if (confirmationSent) toast.success(t('linkSent'), { description: t('linkSentText', { email }) });
      else {
        toast.success(t('emailChanged'));
        router.refresh();
      }
    };
    changeEmail.mutate(input, { onSuccess });
  };
  return (
    <Dialog
      open={open}
      onOpenChange={changeOpen}
      title={t('changeEmail')}
      description={t('changeEmailText')}
      trigger={<Button size="sm">{t('changeEmail')}</Button>}
    >
      <ChangeEmailForm mutation={changeEmail} onCancel={() => changeOpen(false)} onSubmit={submit} />
    </Dialog>
  );
}

interface ChangeEmailFormProps {
  mutation: FormMutation;
  onCancel: () => void;
  onSubmit: (input: { email: string; password: string }) => void;
}

function ChangeEmailForm({ mutation, onCancel, onSubmit }: ChangeEmailFormProps) {
  const t = useTranslations('settings.accountPanel');
  const form = useMutationForm({
    mutation,
    fields: ['email', 'password'],
    defaultValues: { email: '', password: '' },
  });
  const [email, password] = useWatch({ control: form.control, name: ['email', 'password'] });
  return (
    <MutationForm
      form={form}
      submitLabel={t('changeEmail')}
      canSubmit={email.trim() !== '' && password !== ''}
      secondary={<Button onClick={onCancel}>{t('cancel')}</Button>}
      onSubmit={(input) => onSubmit({ ...input, email: input.email.trim() })}
    >
      <Field label={t('newEmail')} error={form.errorOf('email')}>
        {(field) => (
          <Input
            {...field}
            {...form.register('email')}
            type="email"
            autoComplete="email"
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
      </Field>
      <OwnPasswordField registration={form.register('password')} error={form.errorOf('password')} />
    </MutationForm>
  );
}
