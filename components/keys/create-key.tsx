'use client';

import { MutationForm } from '@/components/ui/form/mutation-form';
import { type FormMutation, useMutationForm } from '@/components/ui/form/use-mutation-form';
import { useTranslations } from 'use-intl';
import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { Controller, useWatch } from 'react-hook-form';
import { z } from 'zod';
import { Plus } from 'lucide-react';
import type { Translator } from '@/components/i18n/messages';
import { listStreamsCurl } from '@/components/streams/sharing/api-examples';
import { useHasRole } from '@/components/teams/use-team';
import { Button } from '@/components/ui/button';
import { RadioCards } from '@/components/ui/form/radio-cards';
import { Field, Input } from '@/components/ui/form/field';
import { SwitchRow } from '@/components/ui/form/toggle';
import { Notice } from '@/components/ui/notice';
import { Dialog } from '@/components/ui/overlay/dialog';
import { useOpenByUrl } from '@/components/ui/use-open-by-url';
import { usePublicUrls } from '@/lib/client/queries/public-urls';
import { useCreateApiKey } from '@/lib/client/queries/api-key-queries';
import type { ApiKey } from '@/lib/contract/accounts/api-key';
import type { KeyScope } from '@/lib/core/access/key-policy';
import { expiryOf, KeyLimitFields, type KeyLifetime } from './key-limits';
import { KeySecret } from './key-secret';
import { OriginsField } from './origins-field';

interface NewKey {
  name: string;
  allowedOrigins: string[];
  fullAccess: boolean;
  scopes: KeyScope[];
  /** Unix milliseconds; null: never. */
  expiresAt: number | null;
}

const keyKinds = ['backend', 'browser'] as const;

const keyFormSchema = (t: Translator<'keys.createKey'>) =>
  z
    .object({
      name: z
        .string()
        .trim()
        .min(1, { error: t('nameMissing') })
        .max(100, { error: t('nameTooLong') }),
      kind: z.enum(keyKinds),
      origins: z.array(z.string()),
      fullAccess: z.boolean(),
    })
    .refine((values) => values.kind === 'backend' || values.origins.length > 0, {
      path: ['origins'],
      error: t('originsMissing'),
    });

interface KeyFormProps {
  mutation: FormMutation;
  onSubmit: (key: NewKey) => void;
}

function KeyForm({ mutation, onSubmit }: KeyFormProps) {
  const t = useTranslations('keys.createKey');
  const form = useMutationForm({
    mutation,
    fields: { name: 'name', origins: 'allowedOrigins' },
    resolver: zodResolver(keyFormSchema(t)),
    defaultValues: { name: '', kind: 'backend', origins: [], fullAccess: false },
  });
  const { control, errorOf, register } = form;
  const [kind, origins, fullAccess] = useWatch({ control, name: ['kind', 'origins', 'fullAccess'] });
  const [scope, setScope] = useState<KeyScope>(useHasRole('admin') ? 'all' : 'streams');
  const [lifetime, setLifetime] = useState<KeyLifetime>('never');
  // Whether the origins field contains text that is not an origin. The created key would lack it.
  const [hasInvalidOrigin, setHasInvalidOrigin] = useState(false);
  const submit = (values: z.output<ReturnType<typeof keyFormSchema>>) => {
    if (values.kind === 'browser' && hasInvalidOrigin) return;
    onSubmit({
      scopes: [scope],
      expiresAt: expiryOf(lifetime),
      name: values.name,
      allowedOrigins: values.kind === 'browser' ? values.origins : [],
      fullAccess: values.kind === 'browser' && values.fullAccess,
    });
  };
  return (
    <MutationForm form={form} submitLabel={t('createKey')} onSubmit={submit}>
      <Field label={t('name')} error={errorOf('name')}>
        {(field) => (
          <Input {...field} {...register('name')} autoComplete="off" placeholder={t('nameExample')} />
        )}
      </Field>
      <Controller
        control={control}
        name="kind"
        render={({ field }) => (
          <RadioCards
            label={t('kindOfKey')}
            value={field.value}
            onChange={field.onChange}
            choices={keyKinds.map((value) => ({
              value,
              title: t(`${value}.title`),
              text: t(`${value}.text`),
            }))}
          />
        )}
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
                onInvalidChange={setHasInvalidOrigin}
                error={errorOf('origins')}
              />
            )}
          />
          {origins.includes('*') && <Notice>{t.rich('everyWebsite', { b: (text) => <b>{text}</b> })}</Notice>}
          <Controller
            control={control}
            name="fullAccess"
            render={({ field }) => (
              <SwitchRow
                label={t('fullAccess')}
                description={t('whenOff')}
                checked={field.value}
                onChange={field.onChange}
              />
            )}
          />
          {fullAccess && <Notice>{t('fullAccessRisk')}</Notice>}
        </>
      )}
      <KeyLimitFields scope={scope} lifetime={lifetime} onScope={setScope} onLifetime={setLifetime} />
    </MutationForm>
  );
}

/** Button and dialog that create an API key and show its secret. */
export function CreateKeyDialog() {
  const mayCreate = useHasRole('developer');
  const t = useTranslations('keys.createKey');
  const [open, setOpen] = useOpenByUrl();
  const create = useCreateApiKey();
  const urls = usePublicUrls();
  const changeOpen = (isOpen: boolean) => {
    setOpen(isOpen);
    // Clear the secret from memory.
    create.reset();
  };
  if (!mayCreate) return null;
  return (
    <Dialog
      open={open}
      onOpenChange={changeOpen}
      title={create.data ? t('keyCreated', { name: create.data.name }) : t('createApiKey')}
      {...(create.data ? { description: t('copyNow') } : {})}
      trigger={
        <Button variant="primary">
          <Plus aria-hidden="true" />
          {t('createKey')}
        </Button>
      }
    >
      {create.data ? (
        <KeySecret
          secret={create.data.secret}
          command={urls && exampleCommand(create.data, urls.baseUrl)}
          note={t('howToSeeAgain')}
          onDone={() => changeOpen(false)}
        />
      ) : (
        <KeyForm mutation={create} onSubmit={(key) => create.mutate(key)} />
      )}
    </Dialog>
  );
}

/** Example command for the key; undefined for a browser key without full access, which may not list streams. */
function exampleCommand(key: ApiKey & { secret: string }, baseUrl: string): string | undefined {
  const mayList = key.allowedOrigins.length === 0 || key.fullAccess;
  return mayList ? listStreamsCurl(baseUrl, key.secret) : undefined;
}
