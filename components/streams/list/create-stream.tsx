'use client';

import { useTranslations } from 'use-intl';
import { zodResolver } from '@hookform/resolvers/zod';
import { Controller, useWatch } from 'react-hook-form';
import { z } from 'zod';
import { Plus } from 'lucide-react';
import type { Translator } from '@/components/i18n/messages';
import { useHasRole } from '@/components/teams/use-team';
import { Button } from '@/components/ui/button';
import { Field, Input, Select } from '@/components/ui/form/field';
import { MutationForm } from '@/components/ui/form/mutation-form';
import { type FormMutation, useMutationForm } from '@/components/ui/form/use-mutation-form';
import { SwitchRow } from '@/components/ui/form/toggle';
import { Dialog } from '@/components/ui/overlay/dialog';
import { useOpenByUrl } from '@/components/ui/use-open-by-url';
import { useCreateStream } from '@/lib/client/queries/stream-queries';
import type { PlaybackPolicyInput } from '@/lib/contract/access/playback-policy';
import type { Stream } from '@/lib/contract/streams/stream';

/** Policy types that can be chosen for a new stream. The other types need further settings. */
const policyTypes = ['public', 'password', 'jwt'] as const;

/** Schema of the form, with the limits of the API and messages in the user's language. */
const formSchemaOf = (t: Translator<'streams.createStream'>, tPolicy: Translator<'access.policy'>) =>
  z
    .object({
      name: z
        .string()
        .trim()
        .min(1, { error: t('nameMissing') })
        .max(500, { error: t('nameTooLong') }),
      record: z.boolean(),
      slate: z.boolean(),
      source: z.string().trim(),
      policy: z.enum(policyTypes),
      password: z.string(),
    })
    .superRefine(({ policy, password }, context) => {
      if (policy !== 'password' || (password.length >= 4 && password.length <= 200)) return;
      const message = tPolicy(password === '' ? 'passwordMissing' : 'passwordLength');
      context.addIssue({ code: 'custom', path: ['password'], message });
    });

interface CreateStreamFormProps {
  mutation: FormMutation;
  onSubmit: (stream: {
    name: string;
    record: boolean;
    slate?: true;
    pull?: { source: string };
    playbackPolicy?: PlaybackPolicyInput;
  }) => void;
}

function CreateStreamForm({ mutation, onSubmit }: CreateStreamFormProps) {
  const t = useTranslations('streams.createStream');
  const tPolicy = useTranslations('access.policy');
  const form = useMutationForm({
    mutation,
    fields: { name: 'name', password: 'playbackPolicy.password', source: 'pull.source' },
    resolver: zodResolver(formSchemaOf(t, tPolicy)),
    defaultValues: {
      name: '',
      record: true,
      slate: false,
      source: '',
      policy: 'public' as const,
      password: '',
    },
  });
  const { control, errorOf, register } = form;
  const policy = useWatch({ control, name: 'policy' });
  const submit = ({
    name,
    record,
    slate,
    source,
    policy: type,
    password,
  }: z.output<ReturnType<typeof formSchemaOf>>) =>
    onSubmit({
      name,
      record,
      ...(slate ? { slate } : {}),
      ...(source === '' ? {} : { pull: { source } }),
      ...(type === 'public' ? {} : { playbackPolicy: type === 'password' ? { type, password } : { type } }),
    });
  return (
    <MutationForm form={form} submitLabel={t('createStream')} onSubmit={submit}>
      <Field label={t('name')} error={errorOf('name')}>
        {(field) => (
          <Input {...field} {...register('name')} autoComplete="off" placeholder={t('nameExample')} />
        )}
      </Field>
      <Controller
        control={control}
        name="record"
        render={({ field }) => (
          <SwitchRow
            label={t('record')}
            description={t('recordEverySession')}
            checked={field.value}
            onChange={field.onChange}
          />
        )}
      />
      <Controller
        control={control}
        name="slate"
        render={({ field }) => (
          <SwitchRow
            label={t('slate')}
            description={t('whatSlateDoes')}
            checked={field.value}
            onChange={field.onChange}
          />
        )}
      />
      <Field label={tPolicy('title')} hint={t('policyHint')}>
        {(field) => (
          <Select {...field} {...register('policy')}>
            {policyTypes.map((type) => (
              <option key={type} value={type}>
                {tPolicy(`${type}.title`)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {policy === 'password' && (
        <Field label={tPolicy('passwordField')} hint={tPolicy('passwordHint')} error={errorOf('password')}>
          {(field) => (
            <Input
              {...field}
              {...register('password')}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
            />
          )}
        </Field>
      )}
      <Field label={t('pull')} hint={t('pullHint')} error={errorOf('source')}>
        {(field) => (
          <Input
            {...field}
            {...register('source')}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            inputMode="url"
            placeholder="https://live.example.com/event/index.m3u8"
          />
        )}
      </Field>
    </MutationForm>
  );
}

export function CreateStreamDialog({ onCreated }: { onCreated: (stream: Stream) => void }) {
  const mayChange = useHasRole('developer');
  const t = useTranslations('streams.createStream');
  const [open, setOpen] = useOpenByUrl();
  const create = useCreateStream();
  if (!mayChange) return null;
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        create.reset();
      }}
      title={t('createStream')}
      trigger={
        <Button variant="primary">
          <Plus aria-hidden="true" />
          {t('createStream')}
        </Button>
      }
    >
      <CreateStreamForm
        mutation={create}
        onSubmit={(values) =>
          create.mutate(values, {
            onSuccess: (stream) => {
              setOpen(false);
              onCreated(stream);
            },
          })
        }
      />
    </Dialog>
  );
}
