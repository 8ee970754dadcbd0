'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Field, Input } from '@/components/ui/form/field';
import { otherSentences, sentenceFor } from '@/components/ui/form/server-sentences';
import { Dialog, DialogActions } from '@/components/ui/overlay/dialog';
import { sentencesOf } from '@/lib/client/call';
import { useRevealApiKey } from '@/lib/client/queries/stream-queries';
import type { ApiKey } from '@/lib/contract/accounts/api-key';
import { KeySecret } from './key-secret';

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

interface RevealKeyProps {
  /** The one to reveal; null = closed. */
  apiKey: ApiKey | null;
  email: string;
  onClose: () => void;
}

export function RevealKey({ apiKey, email, onClose }: RevealKeyProps) {
  const reveal = useRevealApiKey();
  const close = () => {
    reveal.reset();
    onClose();
  };
  const sentences = sentencesOf(reveal.error);
  return (
    <Dialog
      open={apiKey !== null}
      onOpenChange={(open) => !open && close()}
      title={`Reveal “${apiKey?.name ?? ''}”`}
      description={reveal.data ? 'The secret of this key.' : 'Confirm with your password.'}
    >
      {reveal.data ? (
        <KeySecret secret={reveal.data.secret} note="This was recorded in your audit log." onDone={close} />
      ) : (
        <RevealForm
          email={email}
          pending={reveal.isPending}
          error={sentenceFor('password', sentences) ?? otherSentences(['password'], sentences)}
          onSubmit={(password) => apiKey && reveal.mutate({ id: apiKey.id, password })}
        />
      )}
    </Dialog>
  );
}
