'use client';

import { Plus } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { sentencesOf } from '@/app/sentences-of';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { WebhookForm } from '@/components/webhooks/webhook-form';
import { useStreams } from '@/lib/client/queries';
import { useCreateWebhook } from '@/lib/client/webhook-queries';

export function CreateWebhook() {
  const router = useRouter();
  const [open, setOpen] = useState(false);
  const create = useCreateWebhook();
  const streams = useStreams({ streamsonly: '1', limit: '100' }, { enabled: open });
  const change = (next: boolean) => {
    setOpen(next);
    create.reset();
  };
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      title="Create webhook"
      trigger={
        <Button variant="primary">
          <Plus aria-hidden="true" />
          Create webhook
        </Button>
      }
    >
      <WebhookForm
        submit="Create webhook"
        streams={streams.data?.items ?? []}
        pending={create.isPending}
        sentences={sentencesOf(create.error)}
        onSubmit={(settings) =>
          create.mutate(settings, { onSuccess: ({ id }) => router.push(`/developers/webhooks/${id}`) })
        }
      />
    </Dialog>
  );
}
