'use client';

import { useTranslations } from 'use-intl';
import { zodResolver } from '@hookform/resolvers/zod';
import { useForm, useWatch } from 'react-hook-form';
import { z } from 'zod';
import { Link2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { toast } from 'sonner';
import { Button } from '@/components/ui/button';
import { Field, FormError, Input } from '@/components/ui/form/field';
import { otherSentences, sentenceFor } from '@/components/ui/form/server-sentences';
import { Dialog, DialogActions } from '@/components/ui/overlay/dialog';
import type { Words } from '@/components/i18n/words';
import { sentencesOf } from '@/lib/client/call';
import { useImportAsset } from '@/lib/client/queries/asset-queries';
import { importAssetBody } from '@/lib/contract/assets/asset';
import { nameOfUrl } from './asset-words';

const formOf = (t: Words<'assets.importForm'>) =>
  z.object({
    url: z
      .string()
      .trim()
      .min(1, { error: t('enterFileUrl') })
      .pipe(importAssetBody.shape.url),
    name: z
      .string()
      .trim()
      .max(500, { error: t('nameTooLong') }),
  });

interface ImportFormProps {
  pending: boolean;
  /** Sentences of the service's refusal. */
  sentences: readonly string[];
  onSubmit: (asset: { url: string; name: string }) => void;
}

function ImportForm({ pending, sentences, onSubmit }: ImportFormProps) {
  const t = useTranslations('assets.importForm');
  const words = useTranslations('assets.assetWords');
  const resolver = useMemo(() => zodResolver(formOf(t)), [t]);
  const { register, handleSubmit, formState, control } = useForm({
    resolver,
    defaultValues: { url: '', name: '' },
  });
  const guess = nameOfUrl(words, useWatch({ control, name: 'url' }));
  const submit = handleSubmit(({ url, name }) =>
    onSubmit({ url, name: name === '' ? nameOfUrl(words, url) : name }),
  );
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-5">
      <Field
        label={t('fileUrl')}
        hint={t('theServerDownloadsIt')}
        error={capital(formState.errors.url?.message) ?? sentenceFor('url', sentences)}
      >
        {(field) => (
          <Input
            {...field}
            {...register('url')}
            type="url"
            inputMode="url"
            autoComplete="off"
            placeholder="https://files.example.com/film.mp4"
          />
        )}
      </Field>
      <Field
        label={t('name')}
        hint={t('leaveEmptyToUse')}
        error={formState.errors.name?.message ?? sentenceFor('name', sentences)}
      >
        {(field) => <Input {...field} {...register('name')} autoComplete="off" placeholder={guess} />}
      </Field>
      <FormError>{otherSentences(['url', 'name'], sentences)}</FormError>
      <DialogActions>
        <Button type="submit" variant="primary" pending={pending}>
          {t('import')}
        </Button>
      </DialogActions>
    </form>
  );
}

function capital(text: string | undefined): string | undefined {
  return text && text.charAt(0).toUpperCase() + text.slice(1);
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
        sentences={sentencesOf(start.error)}
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
