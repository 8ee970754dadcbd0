import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { LoadErrorMessage } from '@/components/ui/empty-state';
import { Field, Input } from '@/components/ui/form/field';
import { MutationForm } from '@/components/ui/form/mutation-form';
import { useMutationForm } from '@/components/ui/form/use-mutation-form';
import { Dialog } from '@/components/ui/overlay/dialog';
import { Skeleton } from '@/components/ui/skeleton';
import { useSetTeamQuotas, useTeamQuotas } from '@/lib/client/queries/admin-queries';
import type { NamedRow } from '@/components/ui/table/selection-bar';
import { quotaNames, type OwnQuotas, type QuotaName } from '@/lib/core/quotas/quota';
import { parseQuota, formatQuota } from './quota-text';

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
      {team && <QuotasContent teamId={team.id} onClose={onClose} />}
    </Dialog>
  );
}

function QuotasContent({ teamId, onClose }: { teamId: string; onClose: () => void }) {
  const t = useTranslations('admin.quotas');
  const quotas = useTeamQuotas(teamId);
  if (quotas.isError)
    return (
      <LoadErrorMessage subject={t('theQuotas')} error={quotas.error} onRetry={() => void quotas.refetch()} />
    );
  return quotas.data ? (
    <QuotaForm teamId={teamId} ownQuotas={quotas.data.own} onClose={onClose} />
  ) : (
    <Skeleton className="h-80 w-full rounded-lg" />
  );
}

interface QuotaFormProps {
  teamId: string;
  /** Values that are set for the team; null: the default of the service applies. */
  ownQuotas: OwnQuotas;
  onClose: () => void;
}

function QuotaForm({ teamId, ownQuotas, onClose }: QuotaFormProps) {
  const t = useTranslations('admin.quotas');
  const setQuotas = useSetTeamQuotas();
  const form = useMutationForm({
    mutation: setQuotas,
    fields: quotaNames,
    defaultValues: mapQuotas((name) => formatQuota(name, ownQuotas[name], t('unlimitedWord'))),
  });
  const valueOf = (name: QuotaName, text: string) => parseQuota(name, text, t('unlimitedWord'));
  const save = (texts: Record<QuotaName, string>) => {
    const quotas = mapQuotas((name) => valueOf(name, texts[name]) ?? null);
    const onSuccess = () => {
      toast.success(t('saved'));
      onClose();
    };
    setQuotas.mutate({ teamId, quotas }, { onSuccess });
  };
  return (
    <MutationForm
      form={form}
      className="grid gap-4"
      submitLabel={t('save')}
      secondary={<Button onClick={onClose}>{t('cancel')}</Button>}
      onSubmit={save}
    >
      {quotaNames.map((name) => (
        <Field key={name} label={t(`names.${name}`)} error={form.errorOf(name)}>
          {(field) => (
            <Input
              {...field}
              {...form.register(name, {
                validate: (text) => valueOf(name, text) !== undefined || t('wrong'),
              })}
              autoComplete="off"
              placeholder={t('byDefault')}
            />
          )}
        </Field>
      ))}
    </MutationForm>
  );
}

const mapQuotas = <T,>(valueOf: (name: QuotaName) => T): Record<QuotaName, T> => ({
  liveStreams: valueOf('liveStreams'),
  storageBytes: valueOf('storageBytes'),
  uploadBytes: valueOf('uploadBytes'),
  renditions: valueOf('renditions'),
  viewerBytes: valueOf('viewerBytes'),
});
