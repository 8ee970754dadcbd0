import { useState } from 'react';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { LoadFailed } from '@/components/ui/empty-state';
import { Field, FormError, Input } from '@/components/ui/form/field';
import { Dialog, DialogActions } from '@/components/ui/overlay/dialog';
import { Skeleton } from '@/components/ui/skeleton';
import { errorMessagesOf } from '@/lib/client/call';
import { useSetTeamQuotas, useTeamQuotas } from '@/lib/client/queries/admin-queries';
import type { NamedRow } from '@/components/ui/table/selection-bar';
import { quotaNames, type OwnQuotas, type QuotaName } from '@/lib/core/quotas/quota';
import { quotaOfText, quotaText } from './quota-text';

/**
 * Quotas of a team.
 * @param team null = closed
 */
export function QuotasDialog({ team, onClose }: { team: NamedRow | null; onClose: () => void }) {
  const t = useTranslations('admin.quotas');
  return (
    <Dialog
      open={team !== null}
      onOpenChange={(open) => !open && onClose()}
      title={t('title', { name: team?.name ?? '' })}
      description={t('description')}
    >
      {team && <Quotas id={team.id} onClose={onClose} />}
    </Dialog>
  );
}

function Quotas({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useTranslations('admin.quotas');
  const quotas = useTeamQuotas(id);
  if (quotas.isError)
    return <LoadFailed subject={t('theQuotas')} error={quotas.error} onRetry={() => void quotas.refetch()} />;
  return quotas.data ? (
    <QuotaForm id={id} ownQuotas={quotas.data.own} onClose={onClose} />
  ) : (
    <Skeleton className="h-80 w-full rounded-lg" />
  );
}

function QuotaForm({ id, ownQuotas, onClose }: { id: string; ownQuotas: OwnQuotas; onClose: () => void }) {
  const t = useTranslations('admin.quotas');
  const set = useSetTeamQuotas();
  const [texts, setTexts] = useState(() =>
    mapQuotas((name) => quotaText(name, ownQuotas[name], t('unlimitedWord'))),
  );
  const [wrong, setWrong] = useState<readonly QuotaName[]>([]);
  const save = () => {
    const values = mapQuotas((name) => quotaOfText(name, texts[name], t('unlimitedWord')));
    const mistakes = quotaNames.filter((name) => values[name] === undefined);
    setWrong(mistakes);
    if (mistakes.length > 0 || set.isPending) return;
    const quotas = mapQuotas((name) => values[name] ?? null);
    const onSuccess = () => {
      toast.success(t('saved'));
      onClose();
    };
    set.mutate({ id, quotas }, { onSuccess });
  };
  return (
    <form
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      {quotaNames.map((name) => (
        <Field key={name} label={t(`names.${name}`)} error={wrong.includes(name) ? t('wrong') : undefined}>
          {(field) => (
            <Input
              {...field}
              autoComplete="off"
              placeholder={t('byDefault')}
              value={texts[name]}
              onChange={({ target }) => setTexts({ ...texts, [name]: target.value })}
            />
          )}
        </Field>
      ))}
      <FormError>{errorMessagesOf(set.error)[0]}</FormError>
      <DialogActions>
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button type="submit" variant="primary" pending={set.isPending}>
          {t('save')}
        </Button>
      </DialogActions>
    </form>
  );
}

const mapQuotas = <T,>(valueOf: (name: QuotaName) => T): Record<QuotaName, T> => ({
  liveStreams: valueOf('liveStreams'),
  storageBytes: valueOf('storageBytes'),
  uploadBytes: valueOf('uploadBytes'),
  renditions: valueOf('renditions'),
  viewerBytes: valueOf('viewerBytes'),
});
