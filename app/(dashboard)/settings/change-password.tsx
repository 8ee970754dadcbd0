'use client';

import { useState } from 'react';
import { toast } from 'sonner';
import { openSession } from '@/app/(auth)/sign-in';
import { sentencesOf } from '@/app/sentences-of';
import { PasswordForm, type PasswordChange } from '@/components/settings/password-form';
import { Panel } from '@/components/ui/panel';
import { useChangePassword } from '@/lib/client/account-queries';

/** A new password ends every session; this browser is let in again with it. */
export function ChangePassword({ email }: { email: string }) {
  const change = useChangePassword();
  const [opening, setOpening] = useState(false);

  async function submit(input: PasswordChange): Promise<boolean> {
    try {
      await change.mutateAsync(input);
    } catch {
      return false; // Said at the fields.
    }
    setOpening(true);
    const refusal = await openSession({ email, password: input.newPassword });
    setOpening(false);
    if (refusal !== null) {
      window.location.assign('/login?next=%2Fsettings');
      return true;
    }
    toast.success('Password changed', { description: 'Every other browser was logged out.' });
    return true;
  }

  return (
    <Panel title="Password" description="Changing your password logs out every other browser.">
      <PasswordForm
        email={email}
        pending={change.isPending || opening}
        sentences={sentencesOf(change.error)}
        onSubmit={submit}
      />
    </Panel>
  );
}
