'use client';

import { MutationForm } from '@/components/ui/form/mutation-form';
import { useTranslations } from 'use-intl';
import { zodResolver } from '@hookform/resolvers/zod';
import { type UseFormRegisterReturn, useForm, useWatch } from 'react-hook-form';
import { z } from 'zod';
import { Link2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { toast } from 'sonner';
import { Button } from '@/components/ui/button';
import { Field, FormError, Input } from '@/components/ui/form/field';
import { capital, otherErrorMessages, errorMessageFor } from '@/components/ui/form/server-messages';
import { Dialog } from '@/components/ui/overlay/dialog';
import type { Translator } from '@/components/i18n/messages';
import { errorMessagesOf } from '@/lib/client/call';
import { useImportAsset } from '@/lib/client/queries/asset-queries';
import { importAssetBody } from '@/lib/contract/assets/asset';
import { nameOfUrl } from './asset-text';

/** Schema of a URL that the service downloads. */
const fileUrl = (t: Translator<'assets.importForm'>) =>
  z
    .string()
    .trim()
    .min(1, { error: t('enterFileUrl') })
    .pipe(importAssetBody.shape.url);

const formOf = (t: Translator<'assets.importForm'>) =>
  z.object({
    url: fileUrl(t),
    name: z
      .string()
      .trim()
      .max(500, { error: t('nameTooLong') }),
  });

interface FormProps {
  pending: boolean;
  /** Error messages of the service. */
  errorMessages: readonly string[];
}

interface FileUrlFieldProps extends Pick<FormProps, 'errorMessages'> {
  registration: UseFormRegisterReturn;
  /** Validation error of the form. */
  error: string | undefined;
}

function FileUrlField({ registration, error, errorMessages }: FileUrlFieldProps) {
  const t = useTranslations('assets.importForm');
  return (
    <Field
      label={t('fileUrl')}
      hint={t('theServerDownloadsIt')}
      error={error === undefined ? errorMessageFor('url', errorMessages) : capital(error)}
    >
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

interface FileUrlFormProps extends FormProps {
  /** Label of the button. */
  label: string;
  onSubmit: (url: string) => void;
}

/** The address of a file alone. */
export function FileUrlForm({ pending, errorMessages, label, onSubmit }: FileUrlFormProps) {
  const t = useTranslations('assets.importForm');
  const resolver = useMemo(() => zodResolver(z.object({ url: fileUrl(t) })), [t]);
  const { register, handleSubmit, formState } = useForm({ resolver, defaultValues: { url: '' } });
  const submit = handleSubmit(({ url }) => onSubmit(url));
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-3">
      <FileUrlField
        registration={register('url')}
        error={formState.errors.url?.message}
        errorMessages={errorMessages}
      />
      <FormError>{otherErrorMessages(['url'], errorMessages)}</FormError>
      <Button type="submit" pending={pending} className="justify-self-end">
        {label}
      </Button>
    </form>
  );
}

interface ImportFormProps extends FormProps {
  onSubmit: (asset: { url: string; name: string }) => void;
}

function ImportForm({ pending, errorMessages, onSubmit }: ImportFormProps) {
  const t = useTranslations('assets.importForm');
  const labels = useTranslations('assets.assetText');
  const resolver = useMemo(() => zodResolver(formOf(t)), [t]);
  const { register, handleSubmit, formState, control } = useForm({
    resolver,
    defaultValues: { url: '', name: '' },
  });
  const guess = nameOfUrl(labels, useWatch({ control, name: 'url' }));
  const submit = handleSubmit(({ url, name }) =>
    onSubmit({ url, name: name === '' ? nameOfUrl(labels, url) : name }),
  );
  return (
    <MutationForm
      pending={pending}
      errorMessages={errorMessages}
      fields={['url', 'name']}
      submit={t('import')}
      onSubmit={(event) => void submit(event)}
    >
      <FileUrlField
        registration={register('url')}
        error={formState.errors.url?.message}
        errorMessages={errorMessages}
      />
      <Field
        label={t('name')}
        hint={t('leaveEmptyToUse')}
        error={formState.errors.name?.message ?? errorMessageFor('name', errorMessages)}
      >
        {(field) => <Input {...field} {...register('name')} autoComplete="off" placeholder={guess} />}
      </Field>
    </MutationForm>
  );
}

export function ImportAsset() {
  const t = useTranslations('assets.importForm');
  const [open, setOpen] = useState(false);
  const start = useImportAsset();
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        start.reset();
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
        pending={start.isPending}
        errorMessages={errorMessagesOf(start.error)}
        onSubmit={(body) =>
          start.mutate(body, {
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
