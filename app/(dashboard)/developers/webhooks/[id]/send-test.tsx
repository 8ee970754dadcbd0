'use client';

import { Send } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { sentencesOf } from '@/app/sentences-of';
import { Button } from '@/components/ui/button';
import { Dialog, DialogActions } from '@/components/ui/dialog';
import { FormError } from '@/components/ui/form-error';
import { SamplePayload } from '@/components/webhooks/sample-payload';
import { useSendTest } from '@/lib/client/webhook-queries';
import type { Webhook } from '@/lib/contract/webhook';
import type { EventName } from '@/lib/core/events';

/** Chooses an event, shows what will be sent, and sends it. */
export function SendTest({ webhook }: { webhook: Webhook }) {
  const [open, setOpen] = useState(false);
  const [event, setEvent] = useState<EventName>(webhook.events[0] ?? 'stream.started');
  const send = useSendTest(webhook.id);
  const submit = () =>
    send.mutate(
      { event },
      {
        onSuccess: () => {
          toast.success(`Test ${event} sent`);
          setOpen(false);
        },
      },
    );
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        send.reset();
      }}
      title="Send test event"
      description="A sample event with test: true, signed and retried like a real one."
      trigger={
        <Button size="sm" variant="primary" disabled={webhook.disabled}>
          <Send aria-hidden="true" />
          Send test event
        </Button>
      }
    >
      <div className="grid gap-4">
        <SamplePayload event={event} onChoose={setEvent} />
        <FormError>{sentencesOf(send.error)[0]}</FormError>
      </div>
      <DialogActions>
        <Button variant="primary" pending={send.isPending} onClick={submit}>
          Send
        </Button>
      </DialogActions>
    </Dialog>
  );
}
