'use client';

import { Play, Square } from 'lucide-react';
import { type SyntheticEvent, useState } from 'react';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { useSay } from '@/components/i18n/reasons';
import { useSaveFailed } from '@/components/streams/settings/stream-settings';
import { useMay } from '@/components/teams/use-team';
import { Button } from '@/components/ui/button';
import { SecretField } from '@/components/ui/copy/secret-field';
import { Field, FormError, Input } from '@/components/ui/form/field';
import { otherErrorMessages, errorMessageFor } from '@/components/ui/form/server-messages';
import { Notice } from '@/components/ui/notice';
import { StatusPill, type StatusTone } from '@/components/ui/status-pill';
import { errorMessagesOf } from '@/lib/client/call';
import { useStartPull, useStopPull } from '@/lib/client/queries/pull-queries';
import { useUpdateStream } from '@/lib/client/queries/stream-queries';
import type { PullStatus } from '@/lib/contract/streams/pull';
import type { Stream } from '@/lib/contract/streams/stream';

/** Source that the stream is pulled from, or a form to set it. */
export function PullSetup({ stream }: { stream: Pick<Stream, 'id' | 'pull' | 'pullStatus' | 'suspended'> }) {
  const { id, pull, pullStatus, suspended } = stream;
  if (!pull || !pullStatus) return <PullForm id={id} />;
  return <RunningPull id={id} source={pull.source} status={pullStatus} suspended={suspended} />;
}

/** The service names the fields of a pull: "pull.source: …". */
const withoutPull = (sentences: readonly string[]): string[] =>
  sentences.map((each) => each.replace(/^pull\./, ''));

function PullForm({ id }: { id: string }) {
  const t = useTranslations('streams.pullSetup');
  const update = useUpdateStream(id);
  const [source, setSource] = useState('');
  const said = withoutPull(errorMessagesOf(update.error));
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (source.trim() !== '' && !update.isPending) update.mutate({ pull: { source: source.trim() } });
  };
  return (
    <form noValidate className="grid gap-4" onSubmit={submit}>
      <p className="text-ink-2">{t('whenToUse')}</p>
      <Field label={t('source')} hint={t('sourceHint')} error={errorMessageFor('source', said)}>
        {(field) => (
          <Input
            {...field}
            value={source}
            onChange={({ target }) => setSource(target.value)}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            inputMode="url"
            placeholder="https://live.example.com/event/index.m3u8"
          />
        )}
      </Field>
      <FormError>{otherErrorMessages(['source'], said)}</FormError>
      <Button
        type="submit"
        className="justify-self-start"
        disabled={source.trim() === ''}
        pending={update.isPending}
      >
        <Play aria-hidden="true" />
        {t('start')}
      </Button>
    </form>
  );
}

const tones: Readonly<Record<PullStatus['state'], StatusTone>> = {
  stopped: 'idle',
  waiting: 'warn',
  connecting: 'accent',
  pulling: 'live',
};

interface RunningPullProps {
  id: string;
  source: string;
  status: PullStatus;
  suspended: boolean;
}

function RunningPull({ id, source, status: { state, error, errorReason }, suspended }: RunningPullProps) {
  const t = useTranslations('streams.pullSetup');
  const say = useSay();
  const mayChange = useMay('developer');
  const saveFailed = useSaveFailed();
  const start = useStartPull(id);
  const stop = useStopPull(id);
  const update = useUpdateStream(id);
  const notDone = (reason: Error) => toast.error(t('notChanged'), { description: reason.message });
  const runs = state !== 'stopped';
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 className="font-medium">{t('title')}</h3>
        <span role="status">
          <StatusPill tone={tones[state]}>{t(`state.${state}`)}</StatusPill>
        </span>
      </div>
      <SecretField label={t('source')} value={source} />
      {error !== undefined && <Notice>{say(error, errorReason)}</Notice>}
      {mayChange && (
        <div className="flex flex-wrap gap-2">
          {runs ? (
            <Button pending={stop.isPending} onClick={() => stop.mutate(undefined, { onError: notDone })}>
              <Square aria-hidden="true" />
              {t('stop')}
            </Button>
          ) : (
            <Button
              variant="primary"
              pending={start.isPending}
              disabled={suspended}
              onClick={() => start.mutate(undefined, { onError: notDone })}
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
