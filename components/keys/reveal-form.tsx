'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { DialogActions } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';

interface RevealFormProps {
  /** For password managers: whose password is meant. */
  email: string;
  pending: boolean;
  error: string | undefined;
  /** What the button says. */
  submit?: string;
  onSubmit: (password: string) => void;
}

export function RevealForm({ email, pending, error, submit = 'Reveal secret', onSubmit }: RevealFormProps) {
  const [password, setPassword] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (password !== '' && !pending) onSubmit(password);
      }}
    >
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <Field label="Your password" error={error}>
        {(control) => (
          <Input
            {...control}
            type="password"
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        )}
      </Field>
      <DialogActions>
        <Button type="submit" variant="primary" disabled={password === ''} pending={pending}>
          {submit}
        </Button>
      </DialogActions>
    </form>
  );
}
