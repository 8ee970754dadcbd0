'use client';

import { MutationForm } from '@/components/ui/form/mutation-form';
import { type FormMutation, useMutationForm } from '@/components/ui/form/use-mutation-form';
import { useTranslations } from 'use-intl';
import { zodResolver } from '@hookform/resolvers/zod';
import { useWatch } from 'react-hook-form';
import { z } from 'zod';
import { toast } from 'sonner';
import type { Translator } from '@/components/i18n/messages';
import { Field, Input } from '@/components/ui/form/field';
import { Dialog } from '@/components/ui/overlay/dialog';
import { useUpdateTarget } from '@/lib/client/queries/target-queries';
import type { MultistreamTarget } from '@/lib/contract/targets/multistream';
import { ConnectionTest } from './connection-test';
import { SecretInput } from './target-form';

interface TargetChange {
  name: string;
  /** New URL; absent: the URL stays. */
  url?: string;
}

const formSchemaOf = (t: Translator<'targets.editTarget'>) =>
  z.object({
    name: z
      .string()
      .trim()
      .min(1, { error: t('nameMissing') })
      .max(500, { error: t('nameTooLong') }),
    url: z.string().trim(),
  });

interface EditTargetFormProps {
  target: Pick<MultistreamTarget, 'id' | 'name'>;
  mutation: FormMutation;
  onSubmit: (change: TargetChange) => void;
}

function EditTargetForm({ target, mutation, onSubmit }: EditTargetFormProps) {
  const t = useTranslations('targets.editTarget');
  const form = useMutationForm({
    mutation,
    fields: ['name', 'url'],
    resolver: zodResolver(formSchemaOf(t)),
    defaultValues: { name: target.name, url: '' },
  });
  const { control, errorOf, register } = form;
  const url = useWatch({ control, name: 'url' }).trim();
  // Without a new URL, the saved one is tested, which is not sent to the browser.
  const getTestedTarget = () => Promise.resolve(url === '' ? { id: target.id } : { url });
  return (
    <MutationForm
      form={form}
      submitLabel={t('save')}
      onSubmit={({ name, url }) => onSubmit({ name, ...(url === '' ? {} : { url }) })}
    >
      <Field label={t('name')} error={errorOf('name')}>
        {(field) => <Input {...field} {...register('name')} autoComplete="off" />}
      </Field>
      <Field label={t('newUrl')} hint={t('fullUrl')} error={errorOf('url')}>
        {(field) => (
          <SecretInput {...field} {...register('url')} placeholder="rtmp://live.example.com/app/key" />
        )}
      </Field>
      <ConnectionTest fieldValues={url} getTarget={getTestedTarget} />
    </MutationForm>
  );
}

interface EditTargetDialogProps {
  /** Target to edit; null while the dialog is closed. */
  target: Pick<MultistreamTarget, 'id' | 'name'> | null;
  onClose: () => void;
}

export function EditTargetDialog({ target, onClose }: EditTargetDialogProps) {
  const t = useTranslations('targets.editTarget');
  const update = useUpdateTarget();
  const close = () => {
    update.reset();
    onClose();
  };
  const submit = (change: TargetChange) =>
    target &&
    update.mutate(
      { id: target.id, change },
      {
        onSuccess: () => {
          toast.success(t('saved', { name: change.name }));
          close();
        },
      },
    );
  return (
    <Dialog open={target !== null} onOpenChange={(open) => !open && close()} title={t('changeTarget')}>
      {target && <EditTargetForm target={target} mutation={update} onSubmit={submit} />}
    </Dialog>
  );
}
