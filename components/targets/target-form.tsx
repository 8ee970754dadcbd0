'use client';

import { MutationForm } from '@/components/ui/form/mutation-form';
import { type FormMutation, useMutationForm } from '@/components/ui/form/use-mutation-form';
import type { ComponentProps, ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { zodResolver } from '@hookform/resolvers/zod';
import { RadioGroup } from 'radix-ui';
import { Controller, useWatch } from 'react-hook-form';
import { z } from 'zod';
import type { Translator } from '@/components/i18n/messages';
import { Field, Input } from '@/components/ui/form/field';
import { Notice } from '@/components/ui/notice';
import { ConnectionTest } from './connection-test';
import { type PlatformName, keyWarning, needsToken, platformOf, platforms, targetUrl } from './platforms';

/** Input for keys, masked and kept out of password managers. */
export function SecretInput(props: ComponentProps<typeof Input>) {
  return <Input {...props} type="password" autoComplete="off" spellCheck={false} data-1p-ignore="" />;
}

/** Name and URL of a target to create. */
export interface NewTarget {
  name: string;
  url: string;
}

/** Body of the request. An empty name is omitted, and the service then uses the host of the URL. */
export const requestBodyOf = ({ name, url }: NewTarget) => ({ url, ...(name === '' ? {} : { name }) });

const platformNames = platforms.map(({ value }) => value);
const formSchemaOf = (t: Translator<'targets.targetForm'>) =>
  z.object({
    platform: z.enum(platformNames),
    name: z
      .string()
      .trim()
      .max(500, { error: t('nameTooLong') }),
    // The stream key, or the whole URL for a custom platform.
    secret: z
      .string()
      .trim()
      .min(1, { error: t('keyMissing') }),
    token: z.string().trim(),
  });

interface TargetFormProps {
  mutation: FormMutation;
  onSubmit: (target: NewTarget) => void;
  /** Button before the submit button. */
  secondary?: ReactNode;
}

/** Form that creates a target: platform, stream key or URL, and name. */
export function TargetForm({ mutation, onSubmit, secondary }: TargetFormProps) {
  const t = useTranslations('targets.targetForm');
  const tPlatforms = useTranslations('targets.platforms');
  const form = useMutationForm({
    mutation,
    fields: { name: 'name', secret: 'url' },
    resolver: zodResolver(formSchemaOf(t)),
    defaultValues: { platform: 'youtube' as PlatformName, name: '', secret: '', token: '' },
  });
  const { control, errorOf, register, trigger } = form;
  const [platformId, secret, token] = useWatch({ control, name: ['platform', 'secret', 'token'] });
  const platform = platformOf(platformId);
  const keyWarningText = keyWarning(tPlatforms, platform, secret);
  const submit = (values: z.output<ReturnType<typeof formSchemaOf>>) => {
    const selectedPlatform = platformOf(values.platform);
    const name = values.name || (selectedPlatform.label ?? '');
    onSubmit({ name, url: targetUrl(selectedPlatform, values.secret, values.token) });
  };
  const needsWholeUrl = platform.server === null;
  const url = targetUrl(platform, secret, token);
  const getTestedTarget = async () => ((await trigger('secret')) ? { url } : null);
  return (
    <MutationForm form={form} submitLabel={t('createTarget')} secondary={secondary} onSubmit={submit}>
      <Controller
        control={control}
        name="platform"
        render={({ field }) => <PlatformChoice value={field.value} onChange={field.onChange} />}
      />
      <Field
        label={needsWholeUrl ? 'URL' : t('streamKey')}
        hint={tPlatforms(`hint.${platform.value}`)}
        error={errorOf('secret')}
      >
        {(field) => <SecretInput {...field} {...register('secret')} placeholder={platform.example} />}
      </Field>
      {needsToken(platform, secret) && (
        <Field label={t('bearerToken')} hint={t('bearerTokenHint')}>
          {(field) => <SecretInput {...field} {...register('token')} />}
        </Field>
      )}
      {keyWarningText && <Notice>{keyWarningText}</Notice>}
      <Field label={t('nameOptional')} error={errorOf('name')}>
        {(field) => (
          <Input
            {...field}
            {...register('name')}
            autoComplete="off"
            placeholder={platform.label ?? t('hostOfTheUrl')}
          />
        )}
      </Field>
      <ConnectionTest fieldValues={url} getTarget={getTestedTarget} />
    </MutationForm>
  );
}

interface PlatformChoiceProps {
  value: PlatformName;
  onChange: (value: string) => void;
}

function PlatformChoice({ value, onChange }: PlatformChoiceProps) {
  const t = useTranslations('targets.targetForm');
  const tPlatforms = useTranslations('targets.platforms');
  return (
    <RadioGroup.Root
      aria-label={t('platform')}
      value={value}
      onValueChange={onChange}
      className="grid grid-cols-2 gap-2 sm:grid-cols-4"
    >
      {platforms.map((platform) => (
        <RadioGroup.Item
          key={platform.value}
          value={platform.value}
          className="hover:bg-hover data-[state=checked]:border-accent data-[state=checked]:bg-accent-soft h-10 rounded-md border px-3 font-medium transition-colors"
        >
          {platform.label ?? tPlatforms('custom')}
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  );
}
