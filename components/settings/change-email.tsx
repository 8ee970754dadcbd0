'use client';

import { MutationForm } from '@/components/ui/form/mutation-form';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { Field, Input } from '@/components/ui/form/field';
import { OwnPasswordField } from '@/components/ui/form/own-password-field';
import { errorMessageFor } from '@/components/ui/form/server-messages';
import { Dialog } from '@/components/ui/overlay/dialog';
import { errorMessagesOf } from '@/lib/client/call';
import { useChangeEmail } from '@/lib/client/queries/account-queries';

export function ChangeEmail() {
  const t = useTranslations('settings.accountPanel');
  const router = useRouter();
  const [open, setOpen] = useState(false);
  const [formValues, setFormValues] = useState({ email: '', password: '' });
  const changeEmail = useChangeEmail();
  const change = (next: boolean) => {
    changeEmail.reset();
    setFormValues({ email: '', password: '' });
    setOpen(next);
  };
  const email = formValues.email.trim();
  const complete = email !== '' && formValues.password !== '';
  const errorMessages = errorMessagesOf(changeEmail.error);
  const onSuccess = ({ confirmationSent }: { confirmationSent: boolean }) => {
    change(false);
    if (confirmationSent) toast.success(t('linkSent'), { description: t('linkSentText', { email }) });
    else {
      toast.success(t('emailChanged'));
      router.refresh();
    }
  };
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      title={t('changeEmail')}
      description={t('changeEmailText')}
      trigger={<Button size="sm">{t('changeEmail')}</Button>}
    >
      <MutationForm
        pending={changeEmail.isPending}
        errorMessages={errorMessages}
        fields={['email', 'password']}
        submit={t('changeEmail')}
        complete={complete}
        secondary={<Button onClick={() => change(false)}>{t('cancel')}</Button>}
        onSubmit={() => changeEmail.mutate({ email, password: formValues.password }, { onSuccess })}
      >
        <Field label={t('newEmail')} error={errorMessageFor('email', errorMessages)}>
          {(field) => (
            <Input
              {...field}
              type="email"
              autoComplete="email"
              autoCapitalize="none"
              spellCheck={false}
              value={formValues.email}
              onChange={(event) => setFormValues({ ...formValues, email: event.target.value })}
            />
          )}
        </Field>
        <OwnPasswordField
          value={formValues.password}
          error={errorMessageFor('password', errorMessages)}
          onChange={(password) => setFormValues({ ...formValues, password })}
        />
      </MutationForm>
    </Dialog>
  );
}
