'use client';

import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { useState } from 'react';
import { toast } from 'sonner';
import { Button } from '@/components/ui/button';
import { Field, FormError, Input } from '@/components/ui/form/field';
import { otherSentences, sentenceFor } from '@/components/ui/form/server-sentences';
import { Panel } from '@/components/ui/panel';
import { sentencesOf } from '@/lib/client/call';
import { useChangePassword, useEndSessions } from '@/lib/client/queries/account-queries';
import { openSession } from '@/lib/client/sign-in';

const schema = z.object({
  currentPassword: z.string().min(1, { error: 'Enter your current password' }),
  newPassword: z
    .string()
    .min(10, { error: 'At least 10 characters' })
    .max(128, { error: 'At most 128 characters' }),
});

type PasswordChange = z.output<typeof schema>;

interface PasswordFormProps {
  /** For password managers: whose password is meant. */
  email: string;
  pending: boolean;
  sentences: readonly string[];
  /** Resolves to true when the form may forget what was typed. */
  onSubmit: (change: PasswordChange) => Promise<boolean>;
}

function PasswordForm({ email, pending, sentences, onSubmit }: PasswordFormProps) {
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

/** A new password ends every session; this browser is let in again with it. */
export function ChangePassword({ email }: { email: string }) {
  const change = useChangePassword();
  const [opening, setOpening] = useState(false);

  async function submit(input: PasswordChange): Promise<boolean> {
    try {
      await change.mutateAsync(input);
    } catch {
      return false; // Said at the fields.
    }
    setOpening(true);
    const refusal = await openSession({ email, password: input.newPassword });
    setOpening(false);
    if (refusal !== null) {
      window.location.assign('/login?next=%2Fsettings%2Fpassword');
      return true;
    }
    toast.success('Password changed', { description: 'Every other browser was logged out.' });
    return true;
  }

  return (
    <Panel title="Password" description="Changing your password logs out every other browser.">
      <PasswordForm
        email={email}
        pending={change.isPending || opening}
        sentences={sentencesOf(change.error)}
        onSubmit={submit}
      />
    </Panel>
  );
}

export function SignedInDevices() {
  const end = useEndSessions();
  return (
    <Panel
      title="Signed-in devices"
      description="Browsers are logged out after seven days, or after one day without use. Lost a device? Log out of every browser, including this one. API keys keep working."
    >
      <Button
        pending={end.isPending}
        onClick={() =>
          end.mutate(undefined, {
            onSuccess: () => window.location.assign('/login'),
            onError: (error) => toast.error('Couldn’t log out everywhere', { description: error.message }),
          })
        }
      >
        Log out everywhere
      </Button>
    </Panel>
  );
}
