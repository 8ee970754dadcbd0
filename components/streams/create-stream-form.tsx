'use client';

import { zodResolver } from '@hookform/resolvers/zod';
import { Controller, useForm } from 'react-hook-form';
import { z } from 'zod';
import { Button } from '@/components/ui/button';
import { DialogActions } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { FormError } from '@/components/ui/form-error';
import { Input } from '@/components/ui/input';
import { otherSentences, sentenceFor } from '@/components/ui/server-sentences';
import { SwitchRow } from '@/components/ui/switch';

const form = z.object({
  name: z.string().trim().min(1, { error: 'Enter a name' }).max(500, { error: 'At most 500 characters' }),
  record: z.boolean(),
});

interface CreateStreamFormProps {
  pending: boolean;
  /** Sentences of the service's refusal. */
  sentences: readonly string[];
  onSubmit: (stream: { name: string; record: boolean }) => void;
}

export function CreateStreamForm({ pending, sentences, onSubmit }: CreateStreamFormProps) {
  const { control, register, handleSubmit, formState } = useForm({
    resolver: zodResolver(form),
    defaultValues: { name: '', record: false },
  });
  const submit = handleSubmit((values) => onSubmit(values));
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-5">
      <Field label="Name" error={formState.errors.name?.message ?? sentenceFor('name', sentences)}>
        {(field) => <Input {...field} {...register('name')} autoComplete="off" placeholder="Town hall" />}
      </Field>
      <Controller
        control={control}
        name="record"
        render={({ field }) => (
          <SwitchRow
            label="Record"
            description="Record every session of this stream. You can change this later."
            checked={field.value}
            onChange={field.onChange}
          />
        )}
      />
      <FormError>{otherSentences(['name'], sentences)}</FormError>
      <DialogActions>
        <Button type="submit" variant="primary" pending={pending}>
          Create stream
        </Button>
      </DialogActions>
    </form>
  );
}
