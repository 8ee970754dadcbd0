'use client';

import { ArrowRight } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { useAssets } from '@/lib/client/queries/asset-queries';
import { useSessions } from '@/lib/client/queries/session-queries';
import type { Asset } from '@/lib/contract/assets/asset';
import type { Stream } from '@/lib/contract/streams/stream';
import { type SessionAirFacts, airStateOfSession } from '@/lib/core/streams/air-state';
import type { Translator } from '@/components/i18n/messages';
import { ChecklistStep } from './step';

interface RecordingStepTexts {
  readonly state: 'done' | 'now' | 'later';
  readonly text: string;
}

/** Progress of the newest recording, in order of its stages. */
export function recordingStep(
  t: Translator<'home.recordingStep'>,
  stream: Pick<Stream, 'record' | 'isActive'> | undefined,
  session: SessionAirFacts | undefined,
  asset: Pick<Asset, 'status'> | undefined,
): RecordingStepTexts {
  if (asset?.status.phase === 'ready') return { state: 'done', text: t('text.ready') };
  if (asset?.status.phase === 'processing') {
    const percent = Math.floor((asset.status.progress ?? 0) * 100);
    return { state: 'now', text: t('text.processing', { percent }) };
  }
  if (stream?.isActive && stream.record) return { state: 'now', text: t('text.recording') };
  const airState = session && session.recordingStatus === 'waiting' ? airStateOfSession(session) : 'off';
  if (airState === 'processing') return { state: 'now', text: t('text.processing', { percent: 0 }) };
  if (airState !== 'off') return { state: 'now', text: t('text.waiting') };
  if (stream && !stream.record)
    return {
      state: 'later',
      text: t('text.off'),
    };
  return {
    state: 'later',
    text: t('text.on'),
  };
}

interface RecordingStepProps {
  number: number;
  stream: Stream | undefined;
  /** Whether the team has a ready video: a recording or an upload. */
  isDone: boolean;
  isFolded: boolean;
}

const REFRESH_MS = 3000;
const newest = { limit: '1', order: 'createdAt-true' } as const;
const recordings = { ...newest, filters: JSON.stringify([{ id: 'sourceType', value: 'recording' }]) };

/** Step to get the first asset: a recording of the stream, or an uploaded file. */
export function RecordingStep({ number, stream, isDone, isFolded }: RecordingStepProps) {
  const t = useTranslations('home.recordingStep');
  const asset = useAssets(recordings, { refetchInterval: REFRESH_MS }).data?.items[0];
  const session = useSessions(newest, REFRESH_MS).data?.items[0];
  const { state: stepState, text } = recordingStep(t, stream, session, asset);
  const state = isDone ? 'done' : stepState;
  return (
    <ChecklistStep
      isFolded={isFolded}
      number={number}
      title={t('keepTheRecording')}
      state={state}
      aside={
        asset && state === 'done' ? (
          <Link
            href={`/assets/${asset.id}`}
            className="text-accent-ink inline-flex min-w-0 items-center gap-1 rounded-sm font-medium underline-offset-4 hover:underline"
          >
            <span className="truncate">{t('openTheRecording')}</span>
            <ArrowRight aria-hidden="true" className="size-4 shrink-0" />
          </Link>
        ) : (
          <Button asChild size="sm">
            <Link href="/assets">{t('uploadAVideo')}</Link>
          </Button>
        )
      }
    >
      <p className="text-ink-2" aria-live="polite">
        {text}
      </p>
    </ChecklistStep>
  );
}
