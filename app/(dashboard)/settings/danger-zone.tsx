'use client';

import { useState } from 'react';
import { sentencesOf } from '@/app/sentences-of';
import { DeleteAccountForm } from '@/components/settings/delete-account-form';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Panel } from '@/components/ui/panel';
import { useDeleteAccount } from '@/lib/client/account-queries';

export function DangerZone({ email }: { email: string }) {
  const [open, setOpen] = useState(false);
  const remove = useDeleteAccount();
  const change = (next: boolean) => {
    if (!next) remove.reset();
    setOpen(next);
  };
  return (
    <Panel
      title="Danger zone"
      description="Deleting the account stops everything at once and deletes all data within minutes."
    >
      <Dialog
        open={open}
        onOpenChange={change}
        title="Delete this account?"
        description="This cannot be undone."
        trigger={<Button variant="danger">Delete account</Button>}
      >
        <DeleteAccountForm
          email={email}
          pending={remove.isPending}
          sentences={sentencesOf(remove.error)}
          onCancel={() => change(false)}
          onSubmit={(input) => remove.mutate(input, { onSuccess: () => window.location.assign('/signup') })}
        />
      </Dialog>
    </Panel>
  );
}
