'use client';

import { MutationForm } from '@/components/ui/form/mutation-form';
import { type FormMutation, useMutationForm } from '@/components/ui/form/use-mutation-form';
import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { Field, Input } from '@/components/ui/form/field';
import { OwnPasswordField } from '@/components/ui/form/own-password-field';
import { Dialog } from '@/components/ui/overlay/dialog';
import { Panel } from '@/components/ui/panel';
import { useDeleteAccount } from '@/lib/client/queries/account-queries';

interface DeleteAccountFormProps {
  email: string;
  mutation: FormMutation;
  onCancel: () => void;
  onSubmit: (input: { email: string; password: string }) => void;
}

/** List of what will be lost, with fields for a word and the password. */
function DeleteAccountForm({ email, mutation, onCancel, onSubmit }: DeleteAccountFormProps) {
  const t = useTranslations('settings.dangerZone');
  const form = useMutationForm({
    mutation,
    // The typed word is not sent. The API requires the email address instead, whose error is shown at the word.
    fields: { word: 'email', password: 'password' },
    defaultValues: { word: '', password: '' },
  });
  const [word, password] = useWatch({ control: form.control, name: ['word', 'password'] });
  const isConfirmed = word.trim().toLowerCase() === t('deleteWord') && password !== '';
  return (
    <MutationForm
      form={form}
      submitLabel={t('deleteAccount')}
      danger
      canSubmit={isConfirmed}
      secondary={<Button onClick={onCancel}>{t('cancel')}</Button>}
      onSubmit={() => onSubmit({ email, password })}
    >
      <ul className="text-ink-2 grid list-disc gap-1 pl-5">
        <li>{t('lost.live')}</li>
        <li>{t('lost.files')}</li>
        <li>{t('lost.keys')}</li>
        <li>{t('lost.forever')}</li>
      </ul>
      <Field label={t('typeToConfirm', { word: t('deleteWord') })} error={form.errorOf('word')}>
        {(field) => (
          <Input
            {...field}
            {...form.register('word')}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
      </Field>
      <OwnPasswordField registration={form.register('password')} error={form.errorOf('password')} />
    </MutationForm>
  );
}

/** Panel with a dialog that deletes the account. */
export function DangerZonePanel({ email }: { email: string }) {
  const t = useTranslations('settings.dangerZone');
  const [open, setOpen] = useState(false);
  const remove = useDeleteAccount();
  const changeOpen = (isOpen: boolean) => {
    if (!isOpen) remove.reset();
    setOpen(isOpen);
  };
  return (
    <Panel title={t('dangerZone')} description={t('description')}>
      <Dialog
        open={open}
        onOpenChange={changeOpen}
        title={t('deleteThisAccount')}
        description={t('thisCannotBeUndone')}
        trigger={<Button variant="danger">{t('deleteAccount')}</Button>}
      >
        <DeleteAccountForm
          email={email}
          mutation={remove}
          onCancel={() => changeOpen(false)}
          onSubmit={(input) => remove.mutate(input, { onSuccess: () => window.location.assign('/signup') })}
        />
      </Dialog>
    </Panel>
  );
}
