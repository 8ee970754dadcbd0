'use client';

import { useSay } from '@/components/i18n/reasons';
import { useState } from 'react';
import { Send } from 'lucide-react';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { Field, FormError, Input, Select, Textarea } from '@/components/ui/form/field';
import { Dialog, DialogActions } from '@/components/ui/overlay/dialog';
import { errorMessagesOf } from '@/lib/client/call';
import { useExportAsset } from '@/lib/client/queries/asset-queries';
import type { Asset } from '@/lib/contract/assets/asset';
import {
  type ExportAnswers,
  type ExportInput,
  emptyExport,
  exportDestinations,
  exportMethods,
  readExport,
} from './export-input';

interface ExportFormProps {
  pending: boolean;
  /** Error messages of the service. */
  errorMessages: readonly string[];
  onSubmit: (order: ExportInput) => void;
}

interface PartProps {
  answers: ExportAnswers;
  faults: Partial<Record<keyof ExportAnswers, string>>;
  set: (part: Partial<ExportAnswers>) => void;
}

function ExportForm({ pending, errorMessages, onSubmit }: ExportFormProps) {
  const t = useTranslations('assets.exportForm');
  const labels = useTranslations('assets.exportInput');
  const say = useSay();
  const [answers, setAnswers] = useState(emptyExport);
  const [faults, setFaults] = useState<PartProps['faults']>({});
  const part: PartProps = {
    answers,
    faults,
    set: (change) => {
      setAnswers((before) => ({ ...before, ...change }));
      setFaults({});
    },
  };
  return (
    <form
      noValidate
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        const formResult = readExport(labels, answers, say);
        if ('order' in formResult) onSubmit(formResult.order);
        else setFaults(formResult.faults);
      }}
    >
      <Field label={t('destination')}>
        {(field) => (
          <Select
            {...field}
            value={answers.destination}
            onChange={({ target }) => part.set({ destination: target.value as ExportAnswers['destination'] })}
          >
            {exportDestinations.map((value) => (
              <option key={value} value={value}>
                {t(`to.${value}`)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {answers.destination === 'ipfs' && <p className="text-ink-2">{t('ipfsText')}</p>}
      {answers.destination === 'pinning' && <Pinning {...part} />}
      {answers.destination === 'custom' && <Custom {...part} />}
      <FormError>{errorMessages.join('. ') || undefined}</FormError>
      <DialogActions>
        <Button type="submit" variant="primary" pending={pending}>
          {t('export')}
        </Button>
      </DialogActions>
    </form>
  );
}

function Pinning({ answers, faults, set }: PartProps) {
  const t = useTranslations('assets.exportForm');
  return (
    <>
      <Field label={t('credentials')} hint={t('usedForThisExport')}>
        {(field) => (
          <Select
            {...field}
            value={answers.credentials}
            onChange={({ target }) => set({ credentials: target.value === 'pair' ? 'pair' : 'jwt' })}
          >
            <option value="jwt">{t('tokenJwt')}</option>
            <option value="pair">{t('apiKeyAndSecret')}</option>
          </Select>
        )}
      </Field>
      {answers.credentials === 'jwt' ? (
        <Secret name="jwt" label={t('token')} answers={answers} faults={faults} set={set} />
      ) : (
        <>
          <Secret name="apiKey" label={t('apiKey')} answers={answers} faults={faults} set={set} />
          <Secret name="apiSecret" label={t('apiSecret')} answers={answers} faults={faults} set={set} />
        </>
      )}
    </>
  );
}

function Secret({
  name,
  label,
  answers,
  faults,
  set,
}: PartProps & { name: 'jwt' | 'apiKey' | 'apiSecret'; label: string }) {
  return (
    <Field label={label} error={faults[name]}>
      {(field) => (
        <Input
          {...field}
          type="password"
          autoComplete="off"
          spellCheck={false}
          value={answers[name]}
          onChange={({ target }) => set({ [name]: target.value })}
          className="font-mono"
        />
      )}
    </Field>
  );
}

function Custom({ answers, faults, set }: PartProps) {
  const t = useTranslations('assets.exportForm');
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_7rem]">
        <Field label="URL" error={faults.url}>
          {(field) => (
            <Input
              {...field}
              type="url"
              inputMode="url"
              autoComplete="off"
              placeholder="https://storage.example.com/film.mp4?signature=…"
              value={answers.url}
              onChange={({ target }) => set({ url: target.value })}
            />
          )}
        </Field>
        <Field label={t('method')} error={faults.method}>
          {(field) => (
            <Select
              {...field}
              value={answers.method}
              onChange={({ target }) => set({ method: target.value as ExportAnswers['method'] })}
            >
              {exportMethods.map((method) => (
                <option key={method}>{method}</option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      <Field label={t('headers')} hint={t('onePerLineFor')} error={faults.headers}>
        {(field) => (
          <Textarea
            {...field}
            rows={3}
            spellCheck={false}
            value={answers.headers}
            onChange={({ target }) => set({ headers: target.value })}
          />
        )}
      </Field>
    </>
  );
}

export function ExportAsset({ asset }: { asset: Asset }) {
  const t = useTranslations('assets.exportForm');
  const [open, setOpen] = useState(false);
  const start = useExportAsset(asset.id);
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        start.reset();
      }}
      title={t('exportName', { name: asset.name })}
      description={t('sendsACopyOf')}
      trigger={
        <Button>
          <Send aria-hidden="true" />
          {t('export')}
        </Button>
      }
    >
      <ExportForm
        pending={start.isPending}
        errorMessages={errorMessagesOf(start.error)}
        onSubmit={(order) =>
          start.mutate(order, {
            onSuccess: () => {
              setOpen(false);
              toast.success(t('exportStarted'), { description: t('thisPageShowsIts') });
            },
          })
        }
      />
    </Dialog>
  );
}
