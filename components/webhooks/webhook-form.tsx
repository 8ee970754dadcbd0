'use client';

import { useTranslations } from 'use-intl';
import { zodResolver } from '@hookform/resolvers/zod';
import { Controller } from 'react-hook-form';
import { z } from 'zod';
import { Plus } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import type { Translator } from '@/components/i18n/messages';
import { StreamFilter } from '@/components/streams/list/stream-filter';
import { useHasRole } from '@/components/teams/use-team';
import { Button } from '@/components/ui/button';
import { CopyField } from '@/components/ui/copy/copy-field';
import { Field, FormError, Input } from '@/components/ui/form/field';
import { MutationForm } from '@/components/ui/form/mutation-form';
import { type FormMutation, useMutationForm } from '@/components/ui/form/use-mutation-form';
import { Dialog, DialogActions } from '@/components/ui/overlay/dialog';
import { ALL_FILTER_VALUE } from '@/components/ui/table/list-state';
import { useCreateWebhook } from '@/lib/client/queries/webhook-queries';
import { type EventName, eventNames } from '@/lib/core/webhooks/events';
import { EventPicker } from './event-picker';

interface WebhookSettings {
  name: string;
  url: string;
  events: EventName[];
  /** Id of the only stream whose events are delivered; null: all streams. */
  streamId: string | null;
}

const formSchemaOf = (t: Translator<'webhooks.webhookForm'>, eventsOptional: boolean) =>
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

const defaultEvents: EventName[] = ['stream.started', 'stream.idle', 'recording.ready'];

interface WebhookFormProps {
  /** Settings before editing; absent for a new webhook. */
  initialSettings?: WebhookSettings;
  submitLabel: string;
  mutation: FormMutation;
  /** Whether the webhook may have no events, because a playback policy uses it. */
  eventsOptional?: boolean;
  onSubmit: (settings: WebhookSettings) => void;
}

/** Form for the settings of a new or existing webhook. */
export function WebhookForm({
  initialSettings,
  submitLabel,
  mutation,
  eventsOptional = false,
  onSubmit,
}: WebhookFormProps) {
  const t = useTranslations('webhooks.webhookForm');
  const form = useMutationForm({
    mutation,
    fields: ['name', 'url', 'events', 'streamId'],
    resolver: zodResolver(formSchemaOf(t, eventsOptional)),
    defaultValues: {
      name: initialSettings?.name ?? '',
      url: initialSettings?.url ?? '',
      events: initialSettings?.events ?? defaultEvents,
      streamId: initialSettings?.streamId ?? '',
    },
  });
  const { control, errorOf, register } = form;
  return (
    <MutationForm
      form={form}
      submitLabel={submitLabel}
      onSubmit={({ streamId, ...settings }) => onSubmit({ ...settings, streamId: streamId || null })}
    >
      <Field label={t('name')} error={errorOf('name')}>
        {(field) => (
          <Input {...field} {...register('name')} autoComplete="off" placeholder={t('nameExample')} />
        )}
      </Field>
      <Field label="URL" error={errorOf('url')}>
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
        render={({ field: { value, onChange } }) => (
          <div className="grid min-w-0 grid-cols-1 gap-1.5">
            <span aria-hidden="true" className="text-sm font-medium">
              {t('stream')}
            </span>
            <StreamFilter
              wide
              value={value || ALL_FILTER_VALUE}
              onChange={(id) => onChange(id === ALL_FILTER_VALUE ? '' : id)}
            />
            <FormError>{errorOf('streamId')}</FormError>
          </div>
        )}
      />
      <Controller
        control={control}
        name="events"
        render={({ field }) => (
          <EventPicker value={field.value} onChange={field.onChange} error={errorOf('events')} />
        )}
      />
    </MutationForm>
  );
}

/**
 * Creates a secret in the format of the service: 256 random bits. The page creates it, so that it can be shown without
 * asking for the password.
 */
const createSecret = (): string =>
  `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))}`;

/** Dialog that creates a webhook and then shows its secret. */
export function CreateWebhookDialog() {
  const mayChange = useHasRole('developer');
  const t = useTranslations('webhooks.webhookForm');
  const router = useRouter();
  const [open, setOpen] = useState(false);
  const [secret, setSecret] = useState('');
  const create = useCreateWebhook();
  const changeOpen = (isOpen: boolean) => {
    setOpen(isOpen);
    create.reset();
  };
  if (!mayChange) return null;
  return (
    <Dialog
      open={open}
      onOpenChange={changeOpen}
      title={create.data ? t('created', { name: create.data.name }) : t('createWebhook')}
      trigger={
        <Button variant="primary">
          <Plus aria-hidden="true" />
          {t('createWebhook')}
        </Button>
      }
    >
      {create.data ? (
        <div className="grid gap-4">
          <CopyField label={t('secret')} value={secret} />
          <p className="text-ink-2 text-sm">{t('secretText')}</p>
          <DialogActions>
            <Button variant="primary" onClick={() => router.push(`/developers/webhooks/${create.data.id}`)}>
              {t('openWebhook')}
            </Button>
          </DialogActions>
        </div>
      ) : (
        <WebhookForm
          submitLabel={t('createWebhook')}
          mutation={create}
          onSubmit={(settings) => {
            const sharedSecret = createSecret();
            setSecret(sharedSecret);
            create.mutate({ ...settings, sharedSecret });
          }}
        />
      )}
    </Dialog>
  );
}
