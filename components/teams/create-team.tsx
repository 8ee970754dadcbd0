'use client';

import { Button } from '@/components/ui/button';
import { MutationForm } from '@/components/ui/form/mutation-form';
import { useWatch } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { Field, Input } from '@/components/ui/form/field';
import { useMutationForm } from '@/components/ui/form/use-mutation-form';
import { Dialog } from '@/components/ui/overlay/dialog';
import { useCreateTeam } from '@/lib/client/queries/team-queries';
import { switchTeam } from './use-team';

interface CreateTeamDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Dialog that creates a team and then opens its pages. */
export function CreateTeamDialog({ open, onOpenChange }: CreateTeamDialogProps) {
  const t = useTranslations('shell.teams');
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={t('create')} description={t('createText')}>
      <CreateTeamForm onCancel={() => onOpenChange(false)} />
    </Dialog>
  );
}

/** Form for the name. It is mounted inside the dialog, so that closing discards the input. */
function CreateTeamForm({ onCancel }: { onCancel: () => void }) {
  const t = useTranslations('shell.teams');
  const create = useCreateTeam();
  const form = useMutationForm({ mutation: create, fields: ['name'], defaultValues: { name: '' } });
  const name = useWatch({ control: form.control, name: 'name' }).trim();
  return (
    <MutationForm
      form={form}
      submitLabel={t('create')}
      canSubmit={name !== ''}
      secondary={<Button onClick={onCancel}>{t('cancel')}</Button>}
      onSubmit={() => create.mutate(name, { onSuccess: ({ id }) => switchTeam(id) })}
    >
      <Field label={t('name')} error={form.errorOf('name')}>
        {(field) => <Input {...field} {...form.register('name')} maxLength={100} autoComplete="off" />}
      </Field>
    </MutationForm>
  );
}
