'use client';

import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { FormError } from '@/components/ui/form-error';
import { Input } from '@/components/ui/input';
import { otherSentences, sentenceFor } from '@/components/ui/server-sentences';

const schema = z.object({
  currentPassword: z.string().min(1, { error: 'Enter your current password' }),
  newPassword: z
    .string()
    .min(10, { error: 'At least 10 characters' })
    .max(128, { error: 'At most 128 characters' }),
});

export type PasswordChange = z.output<typeof schema>;

interface PasswordFormProps {
  /** For password managers: whose password is meant. */
  email: string;
  pending: boolean;
  sentences: readonly string[];
  /** Resolves to true when the form may forget what was typed. */
  onSubmit: (change: PasswordChange) => Promise<boolean>;
}

export function PasswordForm({ email, pending, sentences, onSubmit }: PasswordFormProps) {
  const { register, handleSubmit, formState, reset } = useForm<PasswordChange>({
    resolver: zodResolver(schema),
    defaultValues: { currentPassword: '', newPassword: '' },
  });
  const submit = handleSubmit(async (change) => {
    if (await onSubmit(change)) reset();
  });
  const error = (field: keyof PasswordChange) =>
    formState.errors[field]?.message ?? sentenceFor(field, sentences);
  return (
    <form noValidate method="post" onSubmit={(event) => void submit(event)} className="grid max-w-sm gap-5">
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <Field label="Current password" error={error('currentPassword')}>
        {(field) => (
          <Input
            {...field}
            {...register('currentPassword')}
            type="password"
            autoComplete="current-password"
          />
        )}
      </Field>
      <Field label="New password" hint="10 characters or more." error={error('newPassword')}>
        {(field) => (
          <Input {...field} {...register('newPassword')} type="password" autoComplete="new-password" />
        )}
      </Field>
      <FormError>{otherSentences(['currentPassword', 'newPassword'], sentences)}</FormError>
      <div>
        <Button type="submit" pending={pending}>
          Change password
        </Button>
      </div>
    </form>
  );
}
