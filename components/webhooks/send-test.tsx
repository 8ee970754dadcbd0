'use client';

import { Send } from 'lucide-react';
import { useState } from 'react';
import { Controller } from 'react-hook-form';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { CodeBlock } from '@/components/ui/copy/code-block';
import { Field, Select } from '@/components/ui/form/field';
import { MutationForm } from '@/components/ui/form/mutation-form';
import { type FormMutation, useMutationForm } from '@/components/ui/form/use-mutation-form';
import { Dialog } from '@/components/ui/overlay/dialog';
import { useSendTest } from '@/lib/client/queries/webhook-queries';
import { createSampleEvent } from '@/lib/contract/webhooks/event-samples';
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
        code={JSON.stringify(createSampleEvent(event), null, 2)}
        className="max-h-72 overflow-y-auto"
      />
    </div>
  );
}

/** Button and dialog that send a sample event to a webhook. */
export function SendTest({ webhook }: { webhook: Webhook }) {
  const t = useTranslations('webhooks.sendTest');
  const [open, setOpen] = useState(false);
  const send = useSendTest(webhook.id);
  const submit = (event: EventName) =>
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
      <SendTestForm
        initialEvent={webhook.events.find(isEventName) ?? 'stream.started'}
        mutation={send}
        onSubmit={submit}
      />
    </Dialog>
  );
}

interface SendTestFormProps {
  /** The event that is selected at first. */
  initialEvent: EventName;
  mutation: FormMutation;
  onSubmit: (event: EventName) => void;
}

function SendTestForm({ initialEvent, mutation, onSubmit }: SendTestFormProps) {
  const t = useTranslations('webhooks.sendTest');
  const form = useMutationForm({ mutation, fields: [], defaultValues: { event: initialEvent } });
  return (
    <MutationForm form={form} submitLabel={t('send')} onSubmit={({ event }) => onSubmit(event)}>
      <Controller
        control={form.control}
        name="event"
        render={({ field }) => <SamplePayload event={field.value} onChoose={field.onChange} />}
      />
    </MutationForm>
  );
}
