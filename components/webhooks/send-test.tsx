'use client';

import { Send } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { CodeBlock } from '@/components/ui/copy/code-block';
import { Field, FormError, Select } from '@/components/ui/form/field';
import { Dialog, DialogActions } from '@/components/ui/overlay/dialog';
import { errorMessagesOf } from '@/lib/client/call';
import { useSendTest } from '@/lib/client/queries/webhook-queries';
import { sampleEvent } from '@/lib/contract/webhooks/event-samples';
import type { Webhook } from '@/lib/contract/webhooks/webhook';
import { type EventName, eventNames, isEventName } from '@/lib/core/webhooks/events';

interface SamplePayloadProps {
  event: EventName;
  onChoose: (event: EventName) => void;
}

/** Selects an event and shows its payload. */
export function SamplePayload({ event, onChoose }: SamplePayloadProps) {
  const t = useTranslations('webhooks.sendTest');
  return (
    <div className="grid gap-4">
      <Field label={t('event')}>
        {(field) => (
          <Select
            {...field}
            value={event}
            onChange={({ target }) =>
              onChoose(eventNames.find((name) => name === target.value) ?? 'stream.started')
            }
          >
            {eventNames.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <CodeBlock
        label={t('samplePayload')}
        code={JSON.stringify(sampleEvent(event), null, 2)}
        className="max-h-72 overflow-y-auto"
      />
    </div>
  );
}

export function SendTest({ webhook }: { webhook: Webhook }) {
  const t = useTranslations('webhooks.sendTest');
  const [open, setOpen] = useState(false);
  const [event, setEvent] = useState<EventName>(webhook.events.find(isEventName) ?? 'stream.started');
  const send = useSendTest(webhook.id);
  const submit = () =>
    send.mutate(
      { event },
      {
        onSuccess: () => {
          toast.success(t('sent', { event }));
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
      title={t('sendTestEvent')}
      description={t('whatIsSent')}
      trigger={
        <Button size="sm" variant="primary" disabled={webhook.disabled}>
          <Send aria-hidden="true" />
          {t('sendTestEvent')}
        </Button>
      }
    >
      <div className="grid gap-4">
        <SamplePayload event={event} onChoose={setEvent} />
        <FormError>{errorMessagesOf(send.error)[0]}</FormError>
      </div>
      <DialogActions>
        <Button variant="primary" pending={send.isPending} onClick={submit}>
          {t('send')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
