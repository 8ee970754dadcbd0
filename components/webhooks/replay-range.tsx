'use client';

import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { Field, Input } from '@/components/ui/form/field';
import { MutationForm } from '@/components/ui/form/mutation-form';
import { type FormMutation, useMutationForm } from '@/components/ui/form/use-mutation-form';
import { Dialog } from '@/components/ui/overlay/dialog';
import { useReplay } from '@/lib/client/queries/webhook-queries';
import type { Webhook } from '@/lib/contract/webhooks/webhook';

interface ReplayRangeProps {
  webhook: Webhook;
  onSent: (result: { resent: number }) => void;
}

/** Button that resends all events of a time range to a webhook. */
export function ReplayButton({ webhook, onSent }: ReplayRangeProps) {
  const t = useTranslations('webhooks.deliveriesPanel');
  const [open, setOpen] = useState(false);
  const replay = useReplay(webhook.id);
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        replay.reset();
      }}
      title={t('replayATimeRange')}
      description={t('whatReplayDoes')}
      trigger={
        <Button size="sm" disabled={webhook.disabled}>
          {t('replay')}
        </Button>
      }
    >
      <ReplayForm
        mutation={replay}
        onSubmit={(range) =>
          replay.mutate(range, {
            onSuccess: (result) => {
              onSent(result);
              setOpen(false);
            },
          })
        }
      />
    </Dialog>
  );
}

interface ReplayFormProps {
  mutation: FormMutation;
  /** @param range Unix milliseconds */
  onSubmit: (range: { from: number; to: number }) => void;
}

function ReplayForm({ mutation, onSubmit }: ReplayFormProps) {
  const t = useTranslations('webhooks.deliveriesPanel');
  const form = useMutationForm({
    mutation,
    fields: ['from', 'to'],
    defaultValues: { from: '', to: '' },
  });
  const [from, to] = useWatch({ control: form.control, name: ['from', 'to'] });
  return (
    <MutationForm
      form={form}
      submitLabel={t('replay')}
      canSubmit={from !== '' && to !== ''}
      onSubmit={() => onSubmit({ from: new Date(from).getTime(), to: new Date(to).getTime() })}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={t('from')} error={form.errorOf('from')}>
          {(field) => <Input {...field} {...form.register('from')} type="datetime-local" />}
        </Field>
        <Field label={t('to')} error={form.errorOf('to')}>
          {(field) => <Input {...field} {...form.register('to')} type="datetime-local" />}
        </Field>
      </div>
    </MutationForm>
  );
}
