'use client';

import { zodResolver } from '@hookform/resolvers/zod';
import { RadioGroup } from 'radix-ui';
import { Controller, useForm, useWatch } from 'react-hook-form';
import { z } from 'zod';
import { Plus } from 'lucide-react';
import { listStreamsCurl } from '@/components/streams/sharing/api-examples';
import { Button } from '@/components/ui/button';
import { Field, FormError, Input } from '@/components/ui/form/field';
import { otherSentences, sentenceFor } from '@/components/ui/form/server-sentences';
import { SwitchRow } from '@/components/ui/form/toggle';
import { Notice } from '@/components/ui/notice';
import { Dialog, DialogActions } from '@/components/ui/overlay/dialog';
import { useOpenByAddress } from '@/components/ui/use-open-by-address';
import { sentencesOf } from '@/lib/client/call';
import { useAddresses } from '@/lib/client/queries/addresses';
import { useCreateApiKey } from '@/lib/client/queries/stream-queries';
import type { ApiKey } from '@/lib/contract/accounts/api-key';
import { KeySecret } from './key-secret';
import { OriginsField } from './origins-field';

interface NewKey {
  name: string;
  allowedOrigins: string[];
  fullAccess: boolean;
}

const form = z
  .object({
    name: z.string().trim().min(1, { error: 'Enter a name' }).max(100, { error: 'At most 100 characters' }),
    kind: z.enum(['backend', 'browser']),
    origins: z.array(z.string()),
    fullAccess: z.boolean(),
  })
  .refine((values) => values.kind === 'backend' || values.origins.length > 0, {
    path: ['origins'],
    error: 'Add at least one origin',
  });

interface KeyFormProps {
  pending: boolean;
  /** Sentences of the service's refusal. */
  sentences: readonly string[];
  onSubmit: (key: NewKey) => void;
}

function KeyForm({ pending, sentences, onSubmit }: KeyFormProps) {
  const { control, register, handleSubmit, formState } = useForm({
    resolver: zodResolver(form),
    defaultValues: { name: '', kind: 'backend', origins: [], fullAccess: false },
  });
  const [kind, origins, fullAccess] = useWatch({ control, name: ['kind', 'origins', 'fullAccess'] });
  const submit = handleSubmit((values) =>
    onSubmit({
      name: values.name,
      allowedOrigins: values.kind === 'browser' ? values.origins : [],
      fullAccess: values.kind === 'browser' && values.fullAccess,
    }),
  );
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-5">
      <Field label="Name" error={formState.errors.name?.message ?? sentenceFor('name', sentences)}>
        {(field) => (
          <Input {...field} {...register('name')} autoComplete="off" placeholder="Production server" />
        )}
      </Field>
      <Controller
        control={control}
        name="kind"
        render={({ field }) => <KindChoice value={field.value} onChange={field.onChange} />}
      />
      {kind === 'browser' && (
        <>
          <Controller
            control={control}
            name="origins"
            render={({ field }) => (
              <OriginsField
                value={field.value}
                onChange={field.onChange}
                error={formState.errors.origins?.message ?? sentenceFor('allowedOrigins', sentences)}
              />
            )}
          />
          {origins.includes('*') && (
            <Notice>
              <b>*</b> lets every website use this key. List your own origins if you can.
            </Notice>
          )}
          <Controller
            control={control}
            name="fullAccess"
            render={({ field }) => (
              <SwitchRow
                label="Full access"
                description="When off, only the ten endpoints for browsers are allowed."
                checked={field.value}
                onChange={field.onChange}
              />
            )}
          />
          {fullAccess && (
            <Notice>
              Anyone who opens your page can read this key and use it to read, change and delete everything in
              your account.
            </Notice>
          )}
        </>
      )}
      <FormError>{otherSentences(['name', 'allowedOrigins'], sentences)}</FormError>
      <DialogActions>
        <Button type="submit" variant="primary" pending={pending}>
          Create key
        </Button>
      </DialogActions>
    </form>
  );
}

const kinds = [
  {
    value: 'backend',
    label: 'Backend key',
    text: 'For your server. Full access to the API. Refused in browsers.',
  },
  {
    value: 'browser',
    label: 'Browser key',
    text: 'For web pages on the origins you list. Limited access unless you turn on full access.',
  },
] as const;

function KindChoice({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <RadioGroup.Root
      aria-label="Kind of key"
      value={value}
      onValueChange={onChange}
      className="grid gap-2 sm:grid-cols-2"
    >
      {kinds.map((kind) => (
        <RadioGroup.Item
          key={kind.value}
          value={kind.value}
          className="hover:bg-hover data-[state=checked]:border-accent data-[state=checked]:bg-accent-soft rounded-md border p-3 text-left transition-colors"
        >
          <span className="block font-medium">{kind.label}</span>
          <span className="text-ink-2 block text-sm">{kind.text}</span>
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  );
}

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
