'use client';

import { MutationForm } from '@/components/ui/form/mutation-form';
import { type FormMutation, useMutationForm } from '@/components/ui/form/use-mutation-form';
import { AudioLines } from 'lucide-react';
import Link from 'next/link';
import { useEffect, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/overlay/dialog';
import { useTasks } from '@/lib/client/queries/task-queries';
import { useRefetchTracks, useTranscribeAsset } from '@/lib/client/queries/track-queries';
import type { Asset } from '@/lib/contract/assets/asset';
import { generatedLabel } from '@/lib/core/captions/track-language';
import { isFinalTaskPhase } from '@/lib/core/tasks/task-state';
import { useServerFeatures } from '@/components/shell/server-features';
import { TrackFields, trackRequest } from './track-fields';

const REFRESH_INTERVAL_MS = 3_000;

/**
 * Button and dialog that request generated subtitles. Absent on a server without speech recognition, and for an asset
 * without audio.
 */
export function GenerateTrackDialog({ asset }: { asset: Asset }) {
  const t = useTranslations('assets.generateTrack');
  const { speechLanguages: languages } = useServerFeatures();
  const [open, setOpen] = useState(false);
  const generate = useTranscribeAsset(asset.id);
  const hasAudio = asset.videoSpec?.tracks.some(({ type }) => type === 'audio') ?? false;
  const [firstLanguage] = languages;
  if (firstLanguage === undefined || !hasAudio) return null;
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        generate.reset();
      }}
      title={t('title')}
      description={t('text')}
      trigger={
        <Button>
          <AudioLines aria-hidden="true" />
          {t('generate')}
        </Button>
      }
    >
      <GenerateForm
        languages={languages}
        mutation={generate}
        onSubmit={(body) =>
          generate.mutate(body, {
            onSuccess: () => {
              setOpen(false);
              toast.success(t('started'));
            },
          })
        }
      />
    </Dialog>
  );
}

interface GenerateFormProps {
  languages: readonly string[];
  mutation: FormMutation;
  onSubmit: (body: { language: string; label?: string }) => void;
}

function GenerateForm({ languages, mutation, onSubmit }: GenerateFormProps) {
  const t = useTranslations('assets.generateTrack');
  const form = useMutationForm({
    mutation,
    fields: ['language', 'label'],
    defaultValues: { language: languages[0] ?? '', label: '' },
  });
  return (
    <MutationForm form={form} submitLabel={t('generate')} onSubmit={(track) => onSubmit(trackRequest(track))}>
      <TrackFields
        languageField={{ registration: form.register('language'), error: form.errorOf('language') }}
        labelField={{ registration: form.register('label'), error: form.errorOf('label') }}
        selectedLanguage={useWatch({ control: form.control, name: 'language' })}
        languageTags={languages}
        languageLabel={t('language')}
        labelHint={t('labelHint')}
        defaultLabelFor={generatedLabel}
      />
    </MutationForm>
  );
}

/** Shows that subtitles are being generated, and refetches the asset when they are ready. */
export function TrackGenerationStatus({ asset }: { asset: Asset }) {
  const t = useTranslations('assets.generateTrack');
  const canGenerate = useServerFeatures().speechLanguages.length > 0;
  const newestTaskQuery = {
    limit: '1',
    // Descending: the newest task.
    order: 'createdAt-true',
    filters: JSON.stringify([
      { id: 'inputAssetId', value: asset.id },
      { id: 'type', value: 'transcribe' },
    ]),
  };
  const { data } = useTasks(newestTaskQuery, { enabled: canGenerate, refetchInterval: REFRESH_INTERVAL_MS });
  const task = data?.items[0];
  const phase = task?.status.phase;
  const refetchTracks = useRefetchTracks(asset.id);
  useEffect(() => {
    if (phase === 'completed') refetchTracks();
  }, [phase, refetchTracks]);
  if (!task || phase === undefined || isFinalTaskPhase(phase)) return null;
  const { progress = 0 } = task.status;
  return (
    <p role="status" className="text-ink-2 mb-3">
      {t('underWay', { percent: `${Math.floor(progress * 100)} %` })}{' '}
      <Link href={`/tasks?task=${task.id}`} className="underline">
        {t('showTask')}
      </Link>
    </p>
  );
}
