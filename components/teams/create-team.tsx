'use client';

import { Button } from '@/components/ui/button';
import { MutationForm } from '@/components/ui/form/mutation-form';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Field, Input } from '@/components/ui/form/field';
import { errorMessageFor } from '@/components/ui/form/server-messages';
import { Dialog } from '@/components/ui/overlay/dialog';
import { errorMessagesOf } from '@/lib/client/call';
import { useCreateTeam } from '@/lib/client/queries/team-queries';
import { showTeam } from './use-team';

interface CreateTeamProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Asks for the name of a new team, creates it and opens its pages. */
export function CreateTeam({ open, onOpenChange }: CreateTeamProps) {
  const t = useTranslations('shell.teams');
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={t('create')} description={t('createText')}>
      <CreateTeamForm onCancel={() => onOpenChange(false)} />
    </Dialog>
  );
}

/** Mounted inside the dialog, so that closing discards the input. */
function CreateTeamForm({ onCancel }: { onCancel: () => void }) {
  const t = useTranslations('shell.teams');
  const [name, setName] = useState('');
  const create = useCreateTeam();
  const errorMessages = errorMessagesOf(create.error);
  const trimmedName = name.trim();
  return (
    <MutationForm
      pending={create.isPending}
      errorMessages={errorMessages}
      fields={['name']}
      submit={t('create')}
      complete={trimmedName !== ''}
      secondary={<Button onClick={onCancel}>{t('cancel')}</Button>}
      onSubmit={() => create.mutate(trimmedName, { onSuccess: ({ id }) => showTeam(id) })}
    >
      <Field label={t('name')} error={errorMessageFor('name', errorMessages)}>
        {(field) => (
          <Input
            {...field}
            maxLength={100}
            autoComplete="off"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
    </MutationForm>
  );
}
