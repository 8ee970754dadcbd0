'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { CredentialsForm, type Credentials } from '@/components/auth/credentials-form';
import { openSession } from '@/lib/client/sign-in';

export function LogInForm({ next }: { next: string }) {
  const t = useTranslations('auth.refusal');
  const [pending, setPending] = useState(false);
  const [sentence, setSentence] = useState<string | null>(null);

  async function logIn(credentials: Credentials) {
    setPending(true);
    setSentence(null);
    const refusal = await openSession(credentials);
    if (refusal === null) {
      window.location.assign(next);
      return;
    }
    setSentence(`password: ${typeof refusal === 'string' ? t(refusal) : refusal.sentence}`);
    setPending(false);
  }

  return (
    <CredentialsForm
      purpose="log-in"
      pending={pending}
      sentences={sentence ? [sentence] : []}
      onSubmit={(credentials) => void logIn(credentials)}
    />
  );
}
