'use client';

import { useWatch } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { MutationForm } from '@/components/ui/form/mutation-form';
import { type FormMutation, useMutationForm } from '@/components/ui/form/use-mutation-form';
import { OwnPasswordField } from '@/components/ui/form/own-password-field';
import { Dialog } from '@/components/ui/overlay/dialog';
import { useRevealApiKey } from '@/lib/client/queries/api-key-queries';
import type { ApiKey } from '@/lib/contract/accounts/api-key';
import { KeySecret } from './key-secret';

interface RevealFormProps {
  /** Account name for password managers. */
  email: string;
  mutation: FormMutation;
  /** Label of the submit button. */
  submitLabel?: string;
  onSubmit: (password: string) => void;
}

/** Form that asks for the password of the account before a secret is shown. */
export function RevealForm({ email, mutation, submitLabel, onSubmit }: RevealFormProps) {
  const t = useTranslations('keys.revealForm');
  const form = useMutationForm({
    mutation,
    fields: ['password'],
    defaultValues: { password: '' },
  });
  const password = useWatch({ control: form.control, name: 'password' });
  return (
    <MutationForm
      form={form}
      submitLabel={submitLabel ?? t('revealSecret')}
      canSubmit={password !== ''}
      onSubmit={() => onSubmit(password)}
    >
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <OwnPasswordField registration={form.register('password')} error={form.errorOf('password')} />
    </MutationForm>
  );
}

interface RevealKeyDialogProps {
  /** The key to reveal; null = closed. */
  apiKey: ApiKey | null;
  email: string;
  onClose: () => void;
}

/** Dialog that shows the secret of an API key after the password of the account was entered. */
export function RevealKeyDialog({ apiKey, email, onClose }: RevealKeyDialogProps) {
  const t = useTranslations('keys.revealForm');
  const reveal = useRevealApiKey();
  const close = () => {
    reveal.reset();
    onClose();
  };
  return (
    <Dialog
      open={apiKey !== null}
      onOpenChange={(open) => !open && close()}
      title={t('title', { name: apiKey?.name ?? '' })}
      description={reveal.data ? t('secretOfKey') : t('confirmWithPassword')}
    >
      {reveal.data ? (
        <KeySecret secret={reveal.data.secret} note={t('inAuditLog')} onDone={close} />
      ) : (
        <RevealForm
          email={email}
          mutation={reveal}
          onSubmit={(password) => apiKey && reveal.mutate({ id: apiKey.id, password })}
        />
      )}
    </Dialog>
  );
}
