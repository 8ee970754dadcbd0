'use client';

import { DAY_SECONDS } from '@/lib/core/units';
import { zodResolver } from '@hookform/resolvers/zod';
import Link from 'next/link';
import { useState, type ReactNode } from 'react';
import { Controller, useWatch } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { z } from 'zod';
import type { Translator } from '@/components/i18n/messages';
import { RadioCards } from '@/components/ui/form/radio-cards';
import { Field, Input, Select, Textarea } from '@/components/ui/form/field';
import { MutationForm, SubmitButton } from '@/components/ui/form/mutation-form';
import { type FormMutation, useMutationForm } from '@/components/ui/form/use-mutation-form';
import { useWebhooks } from '@/lib/client/queries/webhook-queries';
import type { PlaybackPolicy, PlaybackPolicyInput } from '@/lib/contract/access/playback-policy';
import { PolicyLimitFields } from './policy-limits';
import {
  parseContext,
  countryRules,
  draftOf,
  isLimited,
  needsPassword,
  policyOf,
  policyTypes,
} from './policy-draft';

const policySchema = (t: Translator<'access.policy'>, storedPolicy: PlaybackPolicy | undefined) =>
  z
    .object({
      type: z.enum(policyTypes),
      password: z.string(),
      webhookId: z.string(),
      refreshInterval: z.string(),
      fallback: z.enum(['deny', 'allow']),
      context: z.string(),
      origins: z.array(z.string()),
      countries: z.object({ rule: z.enum(countryRules), codes: z.array(z.string()) }),
    })
    .superRefine((draft, context) => {
      const addError = (path: string, message: string) =>
        context.addIssue({ code: 'custom', path: [path], message });
      // The limits are those of the API.
      const { type, password, webhookId, refreshInterval } = draft;
      if (type === 'password') {
        if (password === '' && needsPassword(draft, storedPolicy)) addError('password', t('passwordMissing'));
        if (password !== '' && (password.length < 4 || password.length > 200))
          addError('password', t('passwordLength'));
      }
      if (type === 'webhook') {
        if (webhookId === '') addError('webhookId', t('webhookMissing'));
        const seconds = Number(refreshInterval);
        if (!Number.isInteger(seconds) || seconds < 10 || seconds > DAY_SECONDS)
          addError('refreshInterval', t('refreshInvalid'));
        if (parseContext(draft) === null) addError('context', t('contextInvalid'));
      }
      if (draft.countries.rule !== 'any' && draft.countries.codes.length === 0)
        addError('countries', t('countriesMissing'));
    });

/** Paths of the API's fields by form field; errors of the service name these paths. */
const apiFields = {
  password: 'playbackPolicy.password',
  webhookId: 'playbackPolicy.webhookId',
  refreshInterval: 'playbackPolicy.refreshInterval',
  fallback: 'playbackPolicy.webhookFallback',
  context: 'playbackPolicy.webhookContext',
  origins: 'playbackPolicy.allowedOrigins',
  countries: ['playbackPolicy.allowedCountries', 'playbackPolicy.blockedCountries'],
} as const;

interface PolicyFormProps {
  policy: PlaybackPolicy | undefined;
  /** Help text about playback tokens, shown for the type `jwt`. */
  tokenHelp: ReactNode;
  /** Whether the form changes several objects, whose current policies may differ from `policy`. */
  isForSeveral?: boolean;
  /** Additional note about the restriction. */
  note?: ReactNode;
  mutation: FormMutation;
  /** Null: anyone may watch. */
  onSubmit: (policy: PlaybackPolicyInput | null) => void;
}

/**
 * Chooses who may watch. The whole policy is saved at once, because the service checks all current viewers after a
 * change.
 */
export function PolicyForm(props: PolicyFormProps) {
  const { policy, tokenHelp, isForSeveral = false, note, mutation, onSubmit } = props;
  const t = useTranslations('access.policy');
  const initialDraft = draftOf(policy);
  const form = useMutationForm({
    mutation,
    fields: apiFields,
    resolver: zodResolver(policySchema(t, policy)),
    defaultValues: initialDraft,
  });
  const { control, errorOf, register } = form;
  const [type, origins, countries] = useWatch({ control, name: ['type', 'origins', 'countries'] });
  // Whether the origins field contains text that is not an origin. The saved policy would lack it.
  const [hasInvalidOrigin, setHasInvalidOrigin] = useState(false);
  return (
    <MutationForm
      form={form}
      canSubmit={form.formState.isDirty || isForSeveral}
      actions={<SaveBar />}
      onSubmit={(draft) => {
        if (!hasInvalidOrigin) onSubmit(policyOf(draft));
      }}
    >
      <Controller
        control={control}
        name="type"
        render={({ field }) => <PolicyTypeChoice value={field.value} onChange={field.onChange} />}
      />
      {type === 'password' && (
        <Field
          label={t('passwordField')}
          hint={policy?.type === 'password' ? t('passwordKept') : t('passwordHint')}
          error={errorOf('password')}
        >
          {(field) => (
            <Input
              {...field}
              {...register('password')}
              type="text"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              placeholder={t('passwordExample')}
              className="sm:max-w-sm"
            />
          )}
        </Field>
      )}
      {type === 'jwt' && <p className="text-ink-2 text-sm">{tokenHelp}</p>}
      {type === 'webhook' && (
        <>
          <Controller
            control={control}
            name="webhookId"
            // Without a controlled value, the browser selects another option when the webhooks load.
            render={({ field: { value, onChange } }) => (
              <WebhookField {...{ value, onChange }} error={errorOf('webhookId')} />
            )}
          />
          <div className="grid gap-5 sm:grid-cols-2">
            <Field label={t('refresh')} hint={t('refreshHint')} error={errorOf('refreshInterval')}>
              {(field) => <Input {...field} {...register('refreshInterval')} inputMode="numeric" />}
            </Field>
            <Field label={t('fallback')} error={errorOf('fallback')}>
              {(field) => (
                <Select {...field} {...register('fallback')}>
                  <option value="deny">{t('deny')}</option>
                  <option value="allow">{t('allow')}</option>
                </Select>
              )}
            </Field>
          </div>
          <Field label={t('context')} hint={t('contextHint')} error={errorOf('context')}>
            {(field) => (
              <Textarea
                {...field}
                {...register('context')}
                rows={3}
                spellCheck={false}
                placeholder="{}"
                className="font-mono text-sm"
              />
            )}
          </Field>
        </>
      )}
      <PolicyLimitFields
        control={control}
        onInvalidChange={setHasInvalidOrigin}
        errors={{ origins: errorOf('origins'), countries: errorOf('countries') }}
        hadCountries={initialDraft.countries.rule !== 'any'}
      />
      {(type !== 'public' || isLimited({ origins, countries })) && note}
    </MutationForm>
  );
}

function SaveBar() {
  const t = useTranslations('access.policy');
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t pt-5">
      <p className="text-ink-2 min-w-0 flex-1 basis-64 text-sm">{t('whenSaved')}</p>
      <SubmitButton>{t('save')}</SubmitButton>
    </div>
  );
}

interface WebhookFieldProps {
  value: string;
  onChange: (id: string) => void;
  error: string | undefined;
}

function WebhookField({ value, onChange, error }: WebhookFieldProps) {
  const t = useTranslations('access.policy');
  const webhooks = useWebhooks().data?.items;
  const link = (text: ReactNode) => (
    <Link href="/developers/webhooks" className="text-accent-ink rounded-sm underline underline-offset-4">
      {text}
    </Link>
  );
  // While the webhooks load, or if the chosen one was deleted.
  const isMissingFromList = value !== '' && !webhooks?.some(({ id }) => id === value);
  return (
    <Field
      label={t('webhookField')}
      hint={webhooks?.length === 0 ? t.rich('noWebhooks', { link }) : t('webhookHint')}
      error={error}
    >
      {(field) => (
        <Select {...field} value={value} onChange={(event) => onChange(event.target.value)}>
          <option value="">{t('chooseWebhook')}</option>
          {isMissingFromList && <option value={value}>{value}</option>}
          {webhooks?.map(({ id, name, url }) => (
            <option key={id} value={id}>
              {`${name} · ${url}`}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

function PolicyTypeChoice({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const t = useTranslations('access.policy');
  const choices = policyTypes.map((type) => ({
    value: type,
    title: t(`${type}.title`),
    text: t(`${type}.text`),
  }));
  return <RadioCards label={t('title')} value={value} onChange={onChange} choices={choices} />;
}
