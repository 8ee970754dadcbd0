'use client';

import { useTranslateMessage } from '@/components/i18n/reasons';
import { type FieldErrors, type ResolverResult, useWatch } from 'react-hook-form';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { Field, Input, Select, Textarea } from '@/components/ui/form/field';
import { MutationForm } from '@/components/ui/form/mutation-form';
import {
  type FormMutation,
  type MutationFormState,
  useMutationForm,
} from '@/components/ui/form/use-mutation-form';
import { Dialog } from '@/components/ui/overlay/dialog';
import { useExportAsset } from '@/lib/client/queries/asset-queries';
import type { Asset } from '@/lib/contract/assets/asset';
import {
  type ExportFormValues,
  type ExportInput,
  defaultExportFormValues,
  exportDestinations,
  exportMethods,
  parseExport,
} from './export-input';

interface ExportFormProps {
  mutation: FormMutation;
  onSubmit: (input: ExportInput) => void;
}

type ExportState = MutationFormState<ExportFormValues, { input: ExportInput }, ErrorFieldName>;

type ErrorFieldName = 'jwt' | 'apiKey' | 'apiSecret' | 'url' | 'method' | 'headers';

function ExportForm({ mutation, onSubmit }: ExportFormProps) {
  const t = useTranslations('assets.exportForm');
  const tExportInput = useTranslations('assets.exportInput');
  const translateMessage = useTranslateMessage();
  const form: ExportState = useMutationForm({
    mutation,
    fields: {
      jwt: 'ipfs.pinning.jwt',
      apiKey: 'ipfs.pinning.apiKey',
      apiSecret: 'ipfs.pinning.apiSecret',
      url: 'custom.url',
      method: 'custom.method',
      headers: 'custom.headers',
    },
    defaultValues: defaultExportFormValues,
    resolver: (formValues: ExportFormValues): ResolverResult<ExportFormValues, { input: ExportInput }> => {
      const result = parseExport(tExportInput, formValues, translateMessage);
      if ('input' in result) return { values: { input: result.input }, errors: {} };
      const errorEntries = Object.entries(result.errors).map(([name, message]) => [
        name,
        { type: 'validate', message },
      ]);
      return { values: {}, errors: Object.fromEntries(errorEntries) as FieldErrors<ExportFormValues> };
    },
  });
  const destination = useWatch({ control: form.control, name: 'destination' });
  return (
    <MutationForm form={form} submitLabel={t('export')} onSubmit={({ input }) => onSubmit(input)}>
      <Field label={t('destination')}>
        {(field) => (
          <Select {...field} {...form.register('destination')}>
            {exportDestinations.map((value) => (
              <option key={value} value={value}>
                {t(`to.${value}`)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {destination === 'ipfs' && <p className="text-ink-2">{t('ipfsText')}</p>}
      {destination === 'pinning' && <PinningFields form={form} />}
      {destination === 'custom' && <CustomUrlFields form={form} />}
    </MutationForm>
  );
}

interface ExportFieldsProps {
  form: ExportState;
}

function PinningFields({ form }: ExportFieldsProps) {
  const t = useTranslations('assets.exportForm');
  const credentials = useWatch({ control: form.control, name: 'credentials' });
  return (
    <>
      <Field label={t('credentials')} hint={t('usedForThisExport')}>
        {(field) => (
          <Select {...field} {...form.register('credentials')}>
            <option value="jwt">{t('tokenJwt')}</option>
            <option value="key-and-secret">{t('apiKeyAndSecret')}</option>
          </Select>
        )}
      </Field>
      {credentials === 'jwt' ? (
        <SecretField name="jwt" label={t('token')} form={form} />
      ) : (
        <>
          <SecretField name="apiKey" label={t('apiKey')} form={form} />
          <SecretField name="apiSecret" label={t('apiSecret')} form={form} />
        </>
      )}
    </>
  );
}

interface SecretFieldProps extends ExportFieldsProps {
  name: 'jwt' | 'apiKey' | 'apiSecret';
  label: string;
}

function SecretField({ name, label, form }: SecretFieldProps) {
  return (
    <Field label={label} error={form.errorOf(name)}>
      {(field) => (
        <Input
          {...field}
          {...form.register(name)}
          type="password"
          autoComplete="off"
          spellCheck={false}
          className="font-mono"
        />
      )}
    </Field>
  );
}

function CustomUrlFields({ form }: ExportFieldsProps) {
  const t = useTranslations('assets.exportForm');
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_7rem]">
        <Field label="URL" error={form.errorOf('url')}>
          {(field) => (
            <Input
              {...field}
              {...form.register('url')}
              type="url"
              inputMode="url"
              autoComplete="off"
              placeholder="https://storage.example.com/film.mp4?signature=…"
            />
          )}
        </Field>
        <Field label={t('method')} error={form.errorOf('method')}>
          {(field) => (
            <Select {...field} {...form.register('method')}>
              {exportMethods.map((method) => (
                <option key={method}>{method}</option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      <Field label={t('headers')} hint={t('headersHint')} error={form.errorOf('headers')}>
        {(field) => <Textarea {...field} {...form.register('headers')} rows={3} spellCheck={false} />}
      </Field>
    </>
  );
}

export function ExportAssetDialog({ asset, onClose }: { asset: Asset; onClose: () => void }) {
  const t = useTranslations('assets.exportForm');
  const startExport = useExportAsset(asset.id);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('exportName', { name: asset.name })}
      description={t('exportRunsInBackground')}
    >
      <ExportForm
        mutation={startExport}
        onSubmit={(input) =>
          startExport.mutate(input, {
            onSuccess: () => {
              onClose();
              toast.success(t('exportStarted'), { description: t('pageShowsProgress') });
            },
          })
        }
      />
    </Dialog>
  );
}
