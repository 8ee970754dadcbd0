'use client';

import { type ReactNode, useState } from 'react';
import { Button } from '@/components/ui/button';
import { FormError } from '@/components/ui/form/field';
import { OwnPasswordField } from '@/components/ui/form/own-password-field';
import { otherSentences, sentenceFor } from '@/components/ui/form/server-sentences';
import { DialogActions } from '@/components/ui/overlay/dialog';

interface PasswordFormProps {
  /** For password managers: whose password is meant. */
  email: string;
  /** What the button says. */
  submit: string;
  danger?: boolean;
  pending: boolean;
  /** Of the service's refusal. */
  sentences: readonly string[];
  /** Fields besides the password; their names, whose sentences they show; whether they are filled in. */
  more?: { readonly fields: ReactNode; readonly names: readonly string[]; readonly complete: boolean };
  onSubmit: (password: string) => void;
}

/** Asks for the password before a change of two-step login. */
export function PasswordForm(props: PasswordFormProps) {
  const { email, submit, danger = false, pending, sentences, more, onSubmit } = props;
  const [password, setPassword] = useState('');
  const complete = password !== '' && more?.complete !== false;
  return (
    <form
      noValidate
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (complete && !pending) onSubmit(password);
      }}
    >
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      {more?.fields}
      <OwnPasswordField value={password} error={sentenceFor('password', sentences)} onChange={setPassword} />
      <FormError>{otherSentences(['password', ...(more?.names ?? [])], sentences)}</FormError>
      <DialogActions>
        <Button type="submit" variant={danger ? 'danger' : 'primary'} disabled={!complete} pending={pending}>
          {submit}
        </Button>
      </DialogActions>
    </form>
  );
}
