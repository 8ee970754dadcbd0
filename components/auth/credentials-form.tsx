'use client';

import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { Button } from '@/components/ui/button';
import { Field, FormError, Input } from '@/components/ui/form/field';
import { otherSentences, sentenceFor } from '@/components/ui/form/server-sentences';

export interface Credentials {
  email: string;
  password: string;
}

const email = z.email({ error: 'Enter your email address, for example ada@example.com' });
const forms = {
  'log-in': z.object({ email, password: z.string().min(1, { error: 'Enter your password' }) }),
  'sign-up': z.object({
    email,
    password: z
      .string()
      .min(10, { error: 'At least 10 characters' })
      .max(128, { error: 'At most 128 characters' }),
  }),
};

interface CredentialsFormProps {
  purpose: 'log-in' | 'sign-up';
  pending: boolean;
  /** Sentences of the service's refusal. */
  sentences: readonly string[];
  onSubmit: (credentials: Credentials) => void;
}

/** Email and password; what was typed stays after a refusal. */
export function CredentialsForm({ purpose, pending, sentences, onSubmit }: CredentialsFormProps) {
  const { register, handleSubmit, formState } = useForm<Credentials>({
    resolver: zodResolver(forms[purpose]),
    defaultValues: { email: '', password: '' },
  });
  const submit = handleSubmit((values) => onSubmit(values));
  const signingUp = purpose === 'sign-up';
  return (
    // Without scripts a form would put the password into the address: POST keeps it out.
    <form noValidate method="post" onSubmit={(event) => void submit(event)} className="grid gap-5">
      <Field label="Email" error={formState.errors.email?.message ?? sentenceFor('email', sentences)}>
        {(field) => (
          <Input
            {...field}
            {...register('email')}
            type="email"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
      </Field>
      <Field
        label="Password"
        hint={signingUp ? '10 characters or more. A few words work better than symbols.' : undefined}
        error={formState.errors.password?.message ?? sentenceFor('password', sentences)}
      >
        {(field) => (
          <Input
            {...field}
            {...register('password')}
            type="password"
            autoComplete={signingUp ? 'new-password' : 'current-password'}
          />
        )}
      </Field>
      <FormError>{otherSentences(['email', 'password'], sentences)}</FormError>
      <Button type="submit" variant="primary" size="lg" pending={pending} className="w-full">
        {signingUp ? 'Create account' : 'Log in'}
      </Button>
    </form>
  );
}
