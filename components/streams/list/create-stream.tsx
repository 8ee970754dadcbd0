'use client';

import { useTranslations } from 'use-intl';
import { zodResolver } from '@hookform/resolvers/zod';
import { Controller, useForm } from 'react-hook-form';
import { z } from 'zod';
import { Plus } from 'lucide-react';
import type { Words } from '@/components/i18n/words';
import { useMay } from '@/components/teams/use-team';
import { Button } from '@/components/ui/button';
import { Field, FormError, Input } from '@/components/ui/form/field';
import { otherSentences, sentenceFor } from '@/components/ui/form/server-sentences';
import { SwitchRow } from '@/components/ui/form/toggle';
import { Dialog, DialogActions } from '@/components/ui/overlay/dialog';
import { useOpenByAddress } from '@/components/ui/use-open-by-address';
import { sentencesOf } from '@/lib/client/call';
import { useCreateStream } from '@/lib/client/queries/stream-queries';
import type { Stream } from '@/lib/contract/streams/stream';

const formOf = (t: Words<'streams.createStream'>) =>
  z.object({
    name: z
      .string()
      .trim()
      .min(1, { error: t('nameMissing') })
      .max(500, { error: t('nameTooLong') }),
    record: z.boolean(),
  });

interface CreateStreamFormProps {
  pending: boolean;
  /** Sentences of the service's refusal. */
  sentences: readonly string[];
  onSubmit: (stream: { name: string; record: boolean }) => void;
}

function CreateStreamForm({ pending, sentences, onSubmit }: CreateStreamFormProps) {
  const t = useTranslations('streams.createStream');
  const { control, register, handleSubmit, formState } = useForm({
    resolver: zodResolver(formOf(t)),
    defaultValues: { name: '', record: true },
  });
  const submit = handleSubmit((values) => onSubmit(values));
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-5">
      <Field label={t('name')} error={formState.errors.name?.message ?? sentenceFor('name', sentences)}>
        {(field) => (
          <Input {...field} {...register('name')} autoComplete="off" placeholder={t('nameExample')} />
        )}
      </Field>
      <Controller
        control={control}
        name="record"
        render={({ field }) => (
          <SwitchRow
            label={t('record')}
            description={t('recordEverySession')}
            checked={field.value}
            onChange={field.onChange}
          />
        )}
      />
      <FormError>{otherSentences(['name'], sentences)}</FormError>
      <DialogActions>
        <Button type="submit" variant="primary" pending={pending}>
          {t('createStream')}
        </Button>
      </DialogActions>
    </form>
  );
}

export function CreateStream({ onCreated }: { onCreated: (stream: Stream) => void }) {
  const mayChange = useMay('developer');
  const t = useTranslations('streams.createStream');
  const [open, setOpen] = useOpenByAddress();
  const create = useCreateStream();
  if (!mayChange) return null;
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        create.reset();
      }}
      title={t('createStream')}
      trigger={
        <Button variant="primary">
          <Plus aria-hidden="true" />
          {t('createStream')}
        </Button>
      }
    >
      <CreateStreamForm
        pending={create.isPending}
        sentences={sentencesOf(create.error)}
        onSubmit={(values) =>
          create.mutate(values, {
            onSuccess: (stream) => {
              setOpen(false);
              onCreated(stream);
            },
          })
        }
      />
    </Dialog>
  );
}
