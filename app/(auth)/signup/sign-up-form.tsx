'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { sentencesOf } from '@/lib/client/call';
import { CredentialsForm, type Credentials } from '@/components/auth/credentials-form';
import { useSignUp } from '@/lib/client/queries/stream-queries';
import { openSession } from '@/lib/client/sign-in';

export function SignUpForm({ next }: { next: string }) {
  const t = useTranslations('auth.signUp');
  const signUp = useSignUp();
  const [opening, setOpening] = useState(false);
  /** The response is the same for a known email address; only the login shows the difference. */
  const [refused, setRefused] = useState(false);

  async function open(credentials: Credentials) {
    setOpening(true);
    if ((await openSession(credentials)) === null) {
      window.location.assign(next);
      return;
    }
    setRefused(true);
    setOpening(false);
  }

  return (
    <CredentialsForm
      purpose="sign-up"
      pending={signUp.isPending || opening}
      sentences={refused ? [t('taken')] : sentencesOf(signUp.error)}
      onSubmit={(credentials) => {
        setRefused(false);
        signUp.mutate(credentials, { onSuccess: () => void open(credentials) });
      }}
    />
  );
}
