'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { OwnPasswordField } from '@/components/ui/form/own-password-field';
import { otherErrorMessages, errorMessageFor } from '@/components/ui/form/server-messages';
import { Dialog, DialogActions } from '@/components/ui/overlay/dialog';
import { errorMessagesOf } from '@/lib/client/call';
import { useRevealApiKey } from '@/lib/client/queries/stream-queries';
import type { ApiKey } from '@/lib/contract/accounts/api-key';
import { KeySecret } from './key-secret';

interface RevealFormProps {
  /** Account name for password managers. */
  email: string;
  pending: boolean;
  error: string | undefined;
  /** Label of the submit button. */
  submit?: string;
  onSubmit: (password: string) => void;
}

export function RevealForm({ email, pending, error, submit, onSubmit }: RevealFormProps) {
  const t = useTranslations('keys.revealForm');
  const [password, setPassword] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (password !== '' && !pending) onSubmit(password);
      }}
    >
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <OwnPasswordField value={password} error={error} onChange={setPassword} />
      <DialogActions>
        <Button type="submit" variant="primary" disabled={password === ''} pending={pending}>
          {submit ?? t('revealSecret')}
        </Button>
      </DialogActions>
    </form>
  );
}

interface RevealKeyProps {
  /** The key to reveal; null = closed. */
  apiKey: ApiKey | null;
  email: string;
  onClose: () => void;
}

export function RevealKey({ apiKey, email, onClose }: RevealKeyProps) {
  const t = useTranslations('keys.revealForm');
  const reveal = useRevealApiKey();
  const close = () => {
    reveal.reset();
    onClose();
  };
  const errorMessages = errorMessagesOf(reveal.error);
  return (
    <Dialog
      open={apiKey !== null}
      onOpenChange={(open) => !open && close()}
      title={t('title', { name: apiKey?.name ?? '' })}
      description={reveal.data ? t('theSecretOfThis') : t('confirmWithPassword')}
    >
      {reveal.data ? (
        <KeySecret secret={reveal.data.secret} note={t('inAuditLog')} onDone={close} />
      ) : (
        <RevealForm
          email={email}
          pending={reveal.isPending}
          error={
            errorMessageFor('password', errorMessages) ?? otherErrorMessages(['password'], errorMessages)
          }
          onSubmit={(password) => apiKey && reveal.mutate({ id: apiKey.id, password })}
        />
      )}
    </Dialog>
  );
}
