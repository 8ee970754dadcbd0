'use client';

import { zodResolver } from '@hookform/resolvers/zod';
import { Download, Plus } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { z } from 'zod';
import { Button } from '@/components/ui/button';
import { CodeBlock } from '@/components/ui/copy/code-block';
import { CopyField } from '@/components/ui/copy/copy-field';
import { Field, Input } from '@/components/ui/form/field';
import { MutationForm } from '@/components/ui/form/mutation-form';
import { type FormMutation, useMutationForm } from '@/components/ui/form/use-mutation-form';
import { Dialog, DialogActions } from '@/components/ui/overlay/dialog';
import { useOpenByUrl } from '@/components/ui/use-open-by-url';
import { useCreateSigningKey } from '@/lib/client/queries/access-queries';
import type { CreatedSigningKey } from '@/lib/contract/access/signing-key';

interface SigningKeyFormProps {
  /** Current name; absent for a new key. */
  name?: string;
  submitLabel: string;
  mutation: FormMutation;
  onSubmit: (name: string) => void;
}

/** Form with the name of a signing key, to create or rename it. */
export function SigningKeyForm({ name = '', submitLabel, mutation, onSubmit }: SigningKeyFormProps) {
  const t = useTranslations('access.createKey');
  const schema = z.object({
    name: z
      .string()
      .trim()
      .min(1, { error: t('nameMissing') })
      .max(100, { error: t('nameTooLong') }),
  });
  const form = useMutationForm({
    mutation,
    fields: ['name'],
    resolver: zodResolver(schema),
    defaultValues: { name },
  });
  return (
    <MutationForm form={form} submitLabel={submitLabel} onSubmit={(values) => onSubmit(values.name)}>
      <Field label={t('name')} error={form.errorOf('name')}>
        {(field) => (
          <Input {...field} {...form.register('name')} autoComplete="off" placeholder={t('nameExample')} />
        )}
      </Field>
    </MutationForm>
  );
}

/** Button and dialog that create a signing key and show its private key once. */
export function CreateSigningKeyDialog() {
  const t = useTranslations('access.createKey');
  const [open, setOpen] = useOpenByUrl();
  const create = useCreateSigningKey();
  const changeOpen = (isOpen: boolean) => {
    setOpen(isOpen);
    // Clear the private key from memory.
    create.reset();
  };
  return (
    <Dialog
      open={open}
      onOpenChange={changeOpen}
      title={create.data ? t('created', { name: create.data.name }) : t('create')}
      {...(create.data ? { description: t('saveNow') } : {})}
      trigger={
        <Button variant="primary">
          <Plus aria-hidden="true" />
          {t('create')}
        </Button>
      }
    >
      {create.data ? (
        <PrivateKey createdKey={create.data} onDone={() => changeOpen(false)} />
      ) : (
        <SigningKeyForm
          submitLabel={t('create')}
          mutation={create}
          onSubmit={(name) => create.mutate({ name })}
        />
      )}
    </Dialog>
  );
}

function PrivateKey({ createdKey, onDone }: { createdKey: CreatedSigningKey; onDone: () => void }) {
  const t = useTranslations('access.createKey');
  const { name, publicKey, privateKey } = createdKey;
  // The service encodes the PEM of each key as base64, so that it fits in one line.
  const envLines = `HEADWATER_PUBLIC_KEY=${publicKey}\nHEADWATER_PRIVATE_KEY=${privateKey}`;
  return (
    <div className="grid gap-4">
      <CopyField label={t('privateKey')} value={privateKey} />
      <CopyField label={t('publicKey')} value={publicKey} />
      <div>
        <div className="text-ink-2 mb-1.5 text-sm">{t('linesForEnv')}</div>
        <CodeBlock
          label={t('linesForEnv')}
          code={envLines}
          className="[&_pre]:max-h-24 [&_pre]:overflow-y-auto"
        />
      </div>
      <DialogActions>
        <Button asChild>
          <a
            href={`data:application/x-pem-file;base64,${privateKey}`}
            // Characters that may be invalid in file names become hyphens.
            download={`${name.replaceAll(/[^\w.-]+/g, '-')}.pem`}
          >
            <Download aria-hidden="true" />
            {t('download')}
          </a>
        </Button>
        <Button variant="primary" onClick={onDone}>
          {t('done')}
        </Button>
      </DialogActions>
    </div>
  );
}
