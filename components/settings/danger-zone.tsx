'use client';

import { MutationForm } from '@/components/ui/form/mutation-form';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { Field, Input } from '@/components/ui/form/field';
import { OwnPasswordField } from '@/components/ui/form/own-password-field';
import { errorMessageFor } from '@/components/ui/form/server-messages';
import { Dialog } from '@/components/ui/overlay/dialog';
import { Panel } from '@/components/ui/panel';
import { errorMessagesOf } from '@/lib/client/call';
import { useDeleteAccount } from '@/lib/client/queries/account-queries';

interface DeleteAccountFormProps {
  email: string;
  pending: boolean;
  errorMessages: readonly string[];
  onCancel: () => void;
  onSubmit: (input: { email: string; password: string }) => void;
}

/** Shows what will be lost, and confirms the password. */
function DeleteAccountForm({ email, pending, errorMessages, onCancel, onSubmit }: DeleteAccountFormProps) {
  const t = useTranslations('settings.dangerZone');
  const [formValues, setFormValues] = useState({ word: '', password: '' });
  const matches = formValues.word.trim().toLowerCase() === t('deleteWord') && formValues.password !== '';
  return (
    <MutationForm
      pending={pending}
      errorMessages={errorMessages}
      fields={['email', 'password']}
      submit={t('deleteAccount')}
      danger
      complete={matches}
      secondary={<Button onClick={onCancel}>{t('cancel')}</Button>}
      onSubmit={() => onSubmit({ email, password: formValues.password })}
    >
      <ul className="text-ink-2 grid list-disc gap-1 pl-5">
        <li>{t('lost.live')}</li>
        <li>{t('lost.files')}</li>
        <li>{t('lost.keys')}</li>
        <li>{t('lost.forever')}</li>
      </ul>
      <Field
        label={t('typeToConfirm', { word: t('deleteWord') })}
        error={errorMessageFor('email', errorMessages)}
      >
        {(field) => (
          <Input
            {...field}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={formValues.word}
            onChange={(event) => setFormValues({ ...formValues, word: event.target.value })}
          />
        )}
      </Field>
      <OwnPasswordField
        value={formValues.password}
        error={errorMessageFor('password', errorMessages)}
        onChange={(password) => setFormValues({ ...formValues, password })}
      />
    </MutationForm>
  );
}

export function DangerZone({ email }: { email: string }) {
  const t = useTranslations('settings.dangerZone');
  const [open, setOpen] = useState(false);
  const remove = useDeleteAccount();
  const change = (next: boolean) => {
    if (!next) remove.reset();
    setOpen(next);
  };
  return (
    <Panel title={t('dangerZone')} description={t('description')}>
      <Dialog
        open={open}
        onOpenChange={change}
        title={t('deleteThisAccount')}
        description={t('thisCannotBeUndone')}
        trigger={<Button variant="danger">{t('deleteAccount')}</Button>}
      >
        <DeleteAccountForm
          email={email}
          pending={remove.isPending}
          errorMessages={errorMessagesOf(remove.error)}
          onCancel={() => change(false)}
          onSubmit={(input) => remove.mutate(input, { onSuccess: () => window.location.assign('/signup') })}
        />
      </Dialog>
    </Panel>
  );
}
