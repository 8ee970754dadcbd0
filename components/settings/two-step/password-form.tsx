'use client';

import { MutationForm } from '@/components/ui/form/mutation-form';
import { type ReactNode, useState } from 'react';
import { OwnPasswordField } from '@/components/ui/form/own-password-field';
import { errorMessageFor } from '@/components/ui/form/server-messages';

interface PasswordFormProps {
  /** Account name for password managers. */
  email: string;
  /** Label of the submit button. */
  submit: string;
  danger?: boolean;
  pending: boolean;
  /** Error messages of the service. */
  errorMessages: readonly string[];
  /** Fields besides the password; their names, whose sentences they show; whether they are filled in. */
  more?: { readonly fields: ReactNode; readonly names: readonly string[]; readonly complete: boolean };
  onSubmit: (password: string) => void;
}

/** Asks for the password before a change of two-step login. */
export function PasswordForm(props: PasswordFormProps) {
  const { email, submit, danger = false, pending, errorMessages, more, onSubmit } = props;
  const [password, setPassword] = useState('');
  const complete = password !== '' && more?.complete !== false;
  return (
    <MutationForm
      pending={pending}
      errorMessages={errorMessages}
      fields={['password', ...(more?.names ?? [])]}
      submit={submit}
      danger={danger}
      complete={complete}
      onSubmit={() => onSubmit(password)}
    >
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      {more?.fields}
      <OwnPasswordField
        value={password}
        error={errorMessageFor('password', errorMessages)}
        onChange={setPassword}
      />
    </MutationForm>
  );
}
