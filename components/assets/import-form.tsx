'use client';

import { MutationForm, SubmitButton } from '@/components/ui/form/mutation-form';
import { type FormMutation, useMutationForm } from '@/components/ui/form/use-mutation-form';
import { useTranslations } from 'use-intl';
import { zodResolver } from '@hookform/resolvers/zod';
import { type UseFormRegisterReturn, useWatch } from 'react-hook-form';
import { z } from 'zod';
import { Link2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { toast } from 'sonner';
import { Button } from '@/components/ui/button';
import { Field, Input } from '@/components/ui/form/field';
import { capitalize } from '@/components/ui/form/server-messages';
import { Dialog } from '@/components/ui/overlay/dialog';
import type { Translator } from '@/components/i18n/messages';
import { useImportAsset } from '@/lib/client/queries/asset-queries';
import { importAssetBody } from '@/lib/contract/assets/asset';
import { nameFromUrl } from './asset-text';

/** Schema of a URL that the service downloads. */
const fileUrlSchema = (t: Translator<'assets.importForm'>) =>
  z
    .string()
    .trim()
    .min(1, { error: t('enterFileUrl') })
    .pipe(importAssetBody.shape.url);

const importSchema = (t: Translator<'assets.importForm'>) =>
  z.object({
    url: fileUrlSchema(t),
    name: z
      .string()
      .trim()
      .max(500, { error: t('nameTooLong') }),
  });

interface FileUrlFieldProps {
  registration: UseFormRegisterReturn;
  error: string | undefined;
}

function FileUrlField({ registration, error }: FileUrlFieldProps) {
  const t = useTranslations('assets.importForm');
  return (
    <Field label={t('fileUrl')} hint={t('serverDownloadsInBackground')} error={error && capitalize(error)}>
      {(field) => (
        <Input
          {...field}
          {...registration}
          type="url"
          inputMode="url"
          autoComplete="off"
          placeholder="https://files.example.com/film.mp4"
        />
      )}
    </Field>
  );
}

interface FileUrlFormProps {
  mutation: FormMutation;
  /** Label of the button. */
  label: string;
  onSubmit: (url: string) => void;
}

/** Form with only the URL of a file. */
export function FileUrlForm({ mutation, label, onSubmit }: FileUrlFormProps) {
  const t = useTranslations('assets.importForm');
  const resolver = useMemo(() => zodResolver(z.object({ url: fileUrlSchema(t) })), [t]);
  const form = useMutationForm({ mutation, fields: ['url'], resolver, defaultValues: { url: '' } });
  return (
    <MutationForm
      form={form}
      className="grid gap-3"
      actions={
        <SubmitButton variant="secondary" className="justify-self-end">
          {label}
        </SubmitButton>
      }
      onSubmit={({ url }) => onSubmit(url)}
    >
      <FileUrlField registration={form.register('url')} error={form.errorOf('url')} />
    </MutationForm>
  );
}

interface ImportFormProps {
  mutation: FormMutation;
  onSubmit: (asset: { url: string; name: string }) => void;
}

function ImportForm({ mutation, onSubmit }: ImportFormProps) {
  const t = useTranslations('assets.importForm');
  const tAssetText = useTranslations('assets.assetText');
  const resolver = useMemo(() => zodResolver(importSchema(t)), [t]);
  const form = useMutationForm({
    mutation,
    fields: ['url', 'name'],
    resolver,
    defaultValues: { url: '', name: '' },
  });
  const { control, errorOf, register } = form;
  const defaultName = nameFromUrl(tAssetText, useWatch({ control, name: 'url' }));
  return (
    <MutationForm
      form={form}
      submitLabel={t('import')}
      onSubmit={({ url, name }) => onSubmit({ url, name: name === '' ? nameFromUrl(tAssetText, url) : name })}
    >
      <FileUrlField registration={register('url')} error={errorOf('url')} />
      <Field label={t('name')} hint={t('emptyMeansFileName')} error={errorOf('name')}>
        {(field) => <Input {...field} {...register('name')} autoComplete="off" placeholder={defaultName} />}
      </Field>
    </MutationForm>
  );
}

/** Button and dialog that import an asset from a URL. */
export function ImportAssetDialog() {
  const t = useTranslations('assets.importForm');
  const [open, setOpen] = useState(false);
  const startImport = useImportAsset();
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        startImport.reset();
      }}
      title={t('importFromAUrl')}
      trigger={
        <Button>
          <Link2 aria-hidden="true" />
          {t('importUrl')}
        </Button>
      }
    >
      <ImportForm
        mutation={startImport}
        onSubmit={(body) =>
          startImport.mutate(body, {
            onSuccess: ({ asset }) => {
              setOpen(false);
              toast.success(t('importing', { name: asset.name }));
            },
          })
        }
      />
    </Dialog>
  );
}
