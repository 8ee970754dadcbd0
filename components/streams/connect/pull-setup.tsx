'use client';

import { Play, Square } from 'lucide-react';
import { useWatch } from 'react-hook-form';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { useTranslateMessage } from '@/components/i18n/reasons';
import { useSaveFailed } from '@/components/streams/settings/use-save-failed';
import { useHasRole } from '@/components/teams/use-team';
import { Button } from '@/components/ui/button';
import { SecretField } from '@/components/ui/copy/secret-field';
import { Field, Input } from '@/components/ui/form/field';
import { MutationForm, SubmitButton } from '@/components/ui/form/mutation-form';
import { useMutationForm } from '@/components/ui/form/use-mutation-form';
import { Notice } from '@/components/ui/notice';
import { StatusPill, type StatusTone } from '@/components/ui/status-pill';
import { useStartPull, useStopPull } from '@/lib/client/queries/pull-queries';
import { useUpdateStream } from '@/lib/client/queries/stream-queries';
import type { PullStatus } from '@/lib/contract/streams/pull';
import type { Stream } from '@/lib/contract/streams/stream';

/** Source that the stream is pulled from, or a form to set it. */
export function PullSetup({ stream }: { stream: Pick<Stream, 'id' | 'pull' | 'pullStatus' | 'suspended'> }) {
  const { id, pull, pullStatus, suspended } = stream;
  if (!pull || !pullStatus) return <PullForm id={id} />;
  return <PullControls id={id} source={pull.source} status={pullStatus} suspended={suspended} />;
}

function PullForm({ id }: { id: string }) {
  const t = useTranslations('streams.pullSetup');
  const update = useUpdateStream(id);
  const form = useMutationForm({
    mutation: update,
    fields: { source: 'pull.source' },
    defaultValues: { source: '' },
  });
  const source = useWatch({ control: form.control, name: 'source' }).trim();
  return (
    <MutationForm
      form={form}
      className="grid gap-4"
      canSubmit={source !== ''}
      actions={
        <SubmitButton variant="secondary" className="justify-self-start">
          <Play aria-hidden="true" />
          {t('start')}
        </SubmitButton>
      }
      onSubmit={() => update.mutate({ pull: { source } })}
    >
      <p className="text-ink-2">{t('whenToUse')}</p>
      <Field label={t('source')} hint={t('sourceHint')} error={form.errorOf('source')}>
        {(field) => (
          <Input
            {...field}
            {...form.register('source')}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            inputMode="url"
            placeholder="https://live.example.com/event/index.m3u8"
          />
        )}
      </Field>
    </MutationForm>
  );
}

const tones: Readonly<Record<PullStatus['state'], StatusTone>> = {
  stopped: 'idle',
  waiting: 'warn',
  connecting: 'accent',
  pulling: 'live',
};

interface PullControlsProps {
  id: string;
  source: string;
  status: PullStatus;
  suspended: boolean;
}

/** State of a pull, with buttons that start, stop and remove it. */
function PullControls({ id, source, status: { state, error, errorReason }, suspended }: PullControlsProps) {
  const t = useTranslations('streams.pullSetup');
  const translateMessage = useTranslateMessage();
  const mayChange = useHasRole('developer');
  const saveFailed = useSaveFailed();
  const startPull = useStartPull(id);
  const stop = useStopPull(id);
  const update = useUpdateStream(id);
  const showError = (reason: Error) => toast.error(t('notChanged'), { description: reason.message });
  const isRunning = state !== 'stopped';
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 className="font-medium">{t('title')}</h3>
        <span role="status">
          <StatusPill tone={tones[state]}>{t(`state.${state}`)}</StatusPill>
        </span>
      </div>
      <SecretField label={t('source')} value={source} />
      {error !== undefined && <Notice>{translateMessage(error, errorReason)}</Notice>}
      {mayChange && (
        <div className="flex flex-wrap gap-2">
          {isRunning ? (
            <Button pending={stop.isPending} onClick={() => stop.mutate(undefined, { onError: showError })}>
              <Square aria-hidden="true" />
              {t('stop')}
            </Button>
          ) : (
            <Button
              variant="primary"
              pending={startPull.isPending}
              disabled={suspended}
              onClick={() => startPull.mutate(undefined, { onError: showError })}
            >
              <Play aria-hidden="true" />
              {t('start')}
            </Button>
          )}
          <Button
            variant="ghost"
            pending={update.isPending}
            onClick={() => update.mutate({ pull: null }, { onError: saveFailed })}
          >
            {t('remove')}
          </Button>
        </div>
      )}
    </div>
  );
}
