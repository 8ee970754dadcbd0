'use client';

import { MutationForm } from '@/components/ui/form/mutation-form';
import { useTranslations } from 'use-intl';
import { zodResolver } from '@hookform/resolvers/zod';
import { useForm, useWatch } from 'react-hook-form';
import { z } from 'zod';
import { toast } from 'sonner';
import type { Translator } from '@/components/i18n/messages';
import { Field, Input } from '@/components/ui/form/field';
import { errorMessageFor } from '@/components/ui/form/server-messages';
import { Dialog } from '@/components/ui/overlay/dialog';
import { errorMessagesOf } from '@/lib/client/call';
import { useUpdateTarget } from '@/lib/client/queries/target-queries';
import type { MultistreamTarget } from '@/lib/contract/targets/multistream';
import { ConnectionTest } from './connection-test';
import { SecretInput } from './target-form';

interface TargetChange {
  name: string;
  url?: string;
}

const formOf = (t: Translator<'targets.editTarget'>) =>
  z.object({
    name: z
      .string()
      .trim()
      .min(1, { error: t('nameMissing') })
      .max(500, { error: t('nameTooLong') }),
    url: z.string().trim(),
  });

interface EditTargetFormProps {
  target: MultistreamTarget;
  pending: boolean;
  /** Error messages of the service. */
  errorMessages: readonly string[];
  onSubmit: (change: TargetChange) => void;
}

function EditTargetForm({ target, pending, errorMessages, onSubmit }: EditTargetFormProps) {
  const t = useTranslations('targets.editTarget');
  const { control, register, handleSubmit, formState } = useForm({
    resolver: zodResolver(formOf(t)),
    defaultValues: { name: target.name, url: '' },
  });
  const url = useWatch({ control, name: 'url' }).trim();
  const urlToTest = () => Promise.resolve(url === '' ? { id: target.id } : { url });
  const submit = handleSubmit(({ url, ...rest }) => onSubmit({ ...rest, ...(url === '' ? {} : { url }) }));
  return (
    <MutationForm
      pending={pending}
      errorMessages={errorMessages}
      fields={['name', 'url']}
      submit={t('save')}
      onSubmit={(event) => void submit(event)}
    >
      <Field
        label={t('name')}
        error={formState.errors.name?.message ?? errorMessageFor('name', errorMessages)}
      >
        {(field) => <Input {...field} {...register('name')} autoComplete="off" />}
      </Field>
      <Field label={t('newUrl')} hint={t('fullUrl')} error={errorMessageFor('url', errorMessages)}>
        {(field) => (
          <SecretInput {...field} {...register('url')} placeholder="rtmp://live.example.com/app/key" />
        )}
      </Field>
      <ConnectionTest about={url} getTarget={urlToTest} />
    </MutationForm>
  );
}

interface EditTargetProps {
  /** The target to edit; null = closed. */
  target: MultistreamTarget | null;
  onClose: () => void;
}

export function EditTarget({ target, onClose }: EditTargetProps) {
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
      {target && (
        <EditTargetForm
          target={target}
          pending={update.isPending}
          errorMessages={errorMessagesOf(update.error)}
          onSubmit={submit}
        />
      )}
    </Dialog>
  );
}
