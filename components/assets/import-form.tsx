'use client';

import { zodResolver } from '@hookform/resolvers/zod';
import { useForm, useWatch } from 'react-hook-form';
import { z } from 'zod';
import { Link2 } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { Button } from '@/components/ui/button';
import { Field, FormError, Input } from '@/components/ui/form/field';
import { otherSentences, sentenceFor } from '@/components/ui/form/server-sentences';
import { Dialog, DialogActions } from '@/components/ui/overlay/dialog';
import { sentencesOf } from '@/lib/client/call';
import { useImportAsset } from '@/lib/client/queries/asset-queries';
import { importAssetBody } from '@/lib/contract/assets/asset';
import { nameOfUrl } from './asset-words';

const form = z.object({
  url: z.string().trim().min(1, { error: 'Enter the file URL' }).pipe(importAssetBody.shape.url),
  name: z.string().trim().max(500, { error: 'At most 500 characters' }),
});

interface ImportFormProps {
  pending: boolean;
  /** Sentences of the service's refusal. */
  sentences: readonly string[];
  onSubmit: (asset: { url: string; name: string }) => void;
}

function ImportForm({ pending, sentences, onSubmit }: ImportFormProps) {
  const { register, handleSubmit, formState, control } = useForm({
    resolver: zodResolver(form),
    defaultValues: { url: '', name: '' },
  });
  const guess = nameOfUrl(useWatch({ control, name: 'url' }));
  const submit = handleSubmit(({ url, name }) =>
    onSubmit({ url, name: name === '' ? nameOfUrl(url) : name }),
  );
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-5">
      <Field
        label="File URL"
        hint="The server downloads it in the background. You can close this page."
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
        label="Name"
        hint="Leave empty to use the file name."
        error={formState.errors.name?.message ?? sentenceFor('name', sentences)}
      >
        {(field) => <Input {...field} {...register('name')} autoComplete="off" placeholder={guess} />}
      </Field>
      <FormError>{otherSentences(['url', 'name'], sentences)}</FormError>
      <DialogActions>
        <Button type="submit" variant="primary" pending={pending}>
          Import
        </Button>
      </DialogActions>
    </form>
  );
}

function capital(text: string | undefined): string | undefined {
  return text && text.charAt(0).toUpperCase() + text.slice(1);
}

export function ImportAsset() {
  const [open, setOpen] = useState(false);
  const start = useImportAsset();
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        start.reset();
      }}
      title="Import from a URL"
      trigger={
        <Button>
          <Link2 aria-hidden="true" />
          Import URL
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
              toast.success(`Importing “${asset.name}”`);
            },
          })
        }
      />
    </Dialog>
  );
}
