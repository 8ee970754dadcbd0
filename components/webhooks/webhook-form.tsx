'use client';

import { useTranslations } from 'use-intl';
import { zodResolver } from '@hookform/resolvers/zod';
import { Controller, useForm } from 'react-hook-form';
import { z } from 'zod';
import { Plus } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import type { Words } from '@/components/i18n/words';
import { useMay } from '@/components/teams/use-team';
import { Button } from '@/components/ui/button';
import { Field, FormError, Input, Select } from '@/components/ui/form/field';
import { otherSentences, sentenceFor } from '@/components/ui/form/server-sentences';
import { Dialog, DialogActions } from '@/components/ui/overlay/dialog';
import { sentencesOf } from '@/lib/client/call';
import { useStreams } from '@/lib/client/queries/stream-queries';
import { useCreateWebhook } from '@/lib/client/queries/webhook-queries';
import { type EventName, eventNames } from '@/lib/core/webhooks/events';
import { EventPicker } from './event-picker';

interface WebhookSettings {
  name: string;
  url: string;
  events: EventName[];
  streamId: string | null;
}

const formOf = (t: Words<'webhooks.webhookForm'>, eventsOptional: boolean) =>
  z.object({
    name: z
      .string()
      .trim()
      .min(1, { error: t('nameMissing') }),
    url: z
      .string()
      .trim()
      .regex(/^https?:\/\/\S+$/, { error: t('urlInvalid') }),
    events: z.array(z.enum(eventNames)).min(eventsOptional ? 0 : 1, { error: t('eventsMissing') }),
    streamId: z.string(),
  });

const usualEvents: EventName[] = ['stream.started', 'stream.idle', 'recording.ready'];

interface WebhookFormProps {
  initial?: WebhookSettings;
  /** Streams to choose from; the newest few are enough to find one. */
  streams: readonly { id: string; name: string }[];
  submit: string;
  pending: boolean;
  /** Sentences of the service's refusal. */
  sentences: readonly string[];
  /** The webhook is for something else than events. */
  eventsOptional?: boolean;
  onSubmit: (settings: WebhookSettings) => void;
}

export function WebhookForm({
  initial,
  streams,
  submit,
  pending,
  sentences,
  eventsOptional = false,
  onSubmit,
}: WebhookFormProps) {
  const t = useTranslations('webhooks.webhookForm');
  const { control, register, handleSubmit, formState } = useForm({
    resolver: zodResolver(formOf(t, eventsOptional)),
    defaultValues: {
      name: initial?.name ?? '',
      url: initial?.url ?? '',
      events: initial?.events ?? usualEvents,
      streamId: initial?.streamId ?? '',
    },
  });
  const { errors } = formState;
  const send = handleSubmit(({ streamId, ...rest }) => onSubmit({ ...rest, streamId: streamId || null }));
  const unknown = initial?.streamId && streams.every(({ id }) => id !== initial.streamId);
  return (
    <form noValidate onSubmit={(event) => void send(event)} className="grid gap-5">
      <Field label={t('name')} error={errors.name?.message ?? sentenceFor('name', sentences)}>
        {(field) => (
          <Input {...field} {...register('name')} autoComplete="off" placeholder={t('nameExample')} />
        )}
      </Field>
      <Field label="URL" error={errors.url?.message ?? sentenceFor('url', sentences)}>
        {(field) => (
          <Input
            {...field}
            {...register('url')}
            type="url"
            autoComplete="off"
            spellCheck={false}
            placeholder="https://example.com/hooks/headwater"
            className="font-mono"
          />
        )}
      </Field>
      <Controller
        control={control}
        name="streamId"
        // The browser would choose another one when the streams arrive and the options change.
        render={({ field: { value, onChange } }) => (
          <Field label={t('stream')} error={sentenceFor('streamId', sentences)}>
            {(field) => (
              <Select {...field} value={value} onChange={onChange}>
                <option value="">{t('allStreams')}</option>
                {unknown && <option value={initial.streamId ?? ''}>{initial.streamId}</option>}
                {streams.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        )}
      />
      <Controller
        control={control}
        name="events"
        render={({ field }) => (
          <EventPicker
            value={field.value}
            onChange={field.onChange}
            error={errors.events?.message ?? sentenceFor('events', sentences)}
          />
        )}
      />
      <FormError>{otherSentences(['name', 'url', 'events', 'streamId'], sentences)}</FormError>
      <DialogActions>
        <Button type="submit" variant="primary" pending={pending}>
          {submit}
        </Button>
      </DialogActions>
    </form>
  );
}

export function CreateWebhook() {
  const mayChange = useMay('developer');
  const t = useTranslations('webhooks.webhookForm');
  const router = useRouter();
  const [open, setOpen] = useState(false);
  const create = useCreateWebhook();
  const streams = useStreams({ streamsonly: '1', limit: '100' }, { enabled: open });
  const change = (next: boolean) => {
    setOpen(next);
    create.reset();
  };
  if (!mayChange) return null;
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      title={t('createWebhook')}
      trigger={
        <Button variant="primary">
          <Plus aria-hidden="true" />
          {t('createWebhook')}
        </Button>
      }
    >
      <WebhookForm
        submit={t('createWebhook')}
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
