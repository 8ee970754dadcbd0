'use client';

import { Plus } from 'lucide-react';
import { sentencesOf } from '@/app/sentences-of';
import { KeyForm } from '@/components/keys/key-form';
import { KeySecret } from '@/components/keys/key-secret';
import { listStreamsCurl } from '@/components/streams/encoder-commands';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { useCreateApiKey } from '@/lib/client/queries';
import type { ApiKey } from '@/lib/contract/api-key';
import { useAddresses } from '../../_data/addresses';
import { useOpenByAddress } from '../../_data/use-open-by-address';

export function CreateKey() {
  const [open, setOpen] = useOpenByAddress();
  const create = useCreateApiKey();
  const addresses = useAddresses();
  const change = (next: boolean) => {
    setOpen(next);
    // Also takes the secret out of memory.
    create.reset();
  };
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      title={create.data ? `Key “${create.data.name}” created` : 'Create API key'}
      {...(create.data
        ? { description: 'Copy the secret now. The list shows only its last four characters.' }
        : {})}
      trigger={
        <Button variant="primary">
          <Plus aria-hidden="true" />
          Create key
        </Button>
      }
    >
      {create.data ? (
        <KeySecret
          secret={create.data.secret}
          command={addresses && commandFor(create.data, addresses.base)}
          note="You need your password to see it again."
          onDone={() => change(false)}
        />
      ) : (
        <KeyForm
          pending={create.isPending}
          sentences={sentencesOf(create.error)}
          onSubmit={(key) => create.mutate(key)}
        />
      )}
    </Dialog>
  );
}

/** Browser keys without full access may not list streams: for them no command is shown. */
function commandFor(key: ApiKey & { secret: string }, baseUrl: string): string | undefined {
  const mayList = key.allowedOrigins.length === 0 || key.fullAccess;
  return mayList ? listStreamsCurl(baseUrl, key.secret) : undefined;
}
