'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { CredentialsForm } from '@/components/auth/credentials-form';
import { switchTeam } from '@/components/teams/use-team';
import { useSignUp } from '@/lib/client/queries/account-queries';
import { signInWithPassword, type Credentials } from '@/lib/client/sign-in';

interface SignUpFormProps {
  /** Path of the page that opens after the sign-up. */
  next: string;
  /** Token of the invitation. */
  invitation?: string | undefined;
  /** Email address of the invitation. */
  email?: string | undefined;
  /** Team that the invitation belongs to. */
  teamId?: string | undefined;
}

export function SignUpForm({ next, invitation, email, teamId }: SignUpFormProps) {
  const t = useTranslations('auth.signUp');
  const signUp = useSignUp();
  const [isOpeningSession, setIsOpeningSession] = useState(false);
  /**
   * Error of the log-in after the sign-up. The sign-up itself also succeeds for a known email address, so that it does not
   * reveal who has an account.
   */
  const [rejection, setRejection] = useState<Error | null>(null);

  async function logIn(credentials: Credentials) {
    setIsOpeningSession(true);
    if ((await signInWithPassword(credentials)) === null) {
      if (teamId === undefined) window.location.assign(next);
      else switchTeam(teamId);
      return;
    }
    setRejection(new Error(t('taken')));
    setIsOpeningSession(false);
  }

  return (
    <CredentialsForm
      purpose="sign-up"
      email={email}
      mutation={{ isPending: signUp.isPending || isOpeningSession, error: rejection ?? signUp.error }}
      onSubmit={(credentials) => {
        setRejection(null);
        const body = invitation === undefined ? credentials : { ...credentials, invitation };
        signUp.mutate(body, { onSuccess: () => void logIn(credentials) });
      }}
    />
  );
}
