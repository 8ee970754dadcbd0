'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { DialogActions } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { FormError } from '@/components/ui/form-error';
import { Input } from '@/components/ui/input';
import { otherSentences, sentenceFor } from '@/components/ui/server-sentences';

interface DeleteAccountFormProps {
  email: string;
  pending: boolean;
  sentences: readonly string[];
  onCancel: () => void;
  onSubmit: (input: { email: string; password: string }) => void;
}

/** Shows what will be lost, and confirms the password. */
export function DeleteAccountForm({ email, pending, sentences, onCancel, onSubmit }: DeleteAccountFormProps) {
  const [typed, setTyped] = useState({ email: '', password: '' });
  const matches = typed.email.trim().toLowerCase() === email.toLowerCase() && typed.password !== '';
  return (
    <form
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (matches && !pending) onSubmit(typed);
      }}
    >
      <ul className="text-ink-2 grid list-disc gap-1 pl-5">
        <li>Live streams are disconnected, and every watch page and embed stops.</li>
        <li>Streams, recordings, uploads and all files created from them are deleted.</li>
        <li>API keys, webhooks and targets stop working at once.</li>
        <li>Nobody can restore the data, not even the server operator.</li>
      </ul>
      <Field label={`Type ${email} to confirm`} error={sentenceFor('email', sentences)}>
        {(field) => (
          <Input
            {...field}
            type="email"
            autoComplete="off"
            spellCheck={false}
            value={typed.email}
            onChange={(event) => setTyped({ ...typed, email: event.target.value })}
          />
        )}
      </Field>
      <Field label="Your password" error={sentenceFor('password', sentences)}>
        {(field) => (
          <Input
            {...field}
            type="password"
            autoComplete="current-password"
            value={typed.password}
            onChange={(event) => setTyped({ ...typed, password: event.target.value })}
          />
        )}
      </Field>
      <FormError>{otherSentences(['email', 'password'], sentences)}</FormError>
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="danger" disabled={!matches} pending={pending}>
          Delete account
        </Button>
      </DialogActions>
    </form>
  );
}
