'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import type { ClippedPlayer } from '@/components/player/player';
import { Button } from '@/components/ui/button';
import { Field, Input } from '@/components/ui/form/field';
import { MutationForm, SubmitButton } from '@/components/ui/form/mutation-form';
import { useMutationForm } from '@/components/ui/form/use-mutation-form';
import { Panel } from '@/components/ui/panel';
import { useCreateClip } from '@/lib/client/queries/asset-queries';
import { ClipHandles } from './clip-handles';
import { useClipDraft } from './use-clip-draft';
import { omitUndefined } from '@/lib/core/omit-undefined';

/** Stream, session or asset that a clip is made of. */
export interface ClipSource {
  readonly playbackId: string;
  readonly sessionId?: string;
  /** Unit of times: streams use dates, assets use offsets from the beginning. */
  readonly times: 'dates' | 'offsets';
  readonly name: string;
}

interface ClipEditorProps {
  source: ClipSource;
  player: ClippedPlayer;
  onClose: () => void;
}

/** Chooses start and end of a clip of the video above, and creates the clip. */
export function ClipEditor({ source, player, onClose }: ClipEditorProps) {
  const t = useTranslations('clips.editor');
  const router = useRouter();
  const { video } = player;
  const { bounds, draft, changeDraft } = useClipDraft(video, onClose);
  // Whether the player does not know the dates of the chosen times.
  const [isUndated, setUndated] = useState(false);
  const create = useCreateClip();
  const form = useMutationForm({
    mutation: create,
    fields: ['name'],
    defaultValues: { name: t('nameOf', { name: source.name }).slice(0, 500) },
  });
  const submit = ({ name }: { name: string }) => {
    const [startTime, endTime] = [draft.start, draft.end].map((seconds) =>
      source.times === 'offsets' ? seconds * 1_000 : player.dateAt(seconds),
    );
    const hasRange = typeof startTime === 'number' && typeof endTime === 'number';
    setUndated(!hasRange);
    if (!hasRange) return;
    const { playbackId, sessionId } = source;
    const clippedObject = { playbackId, ...omitUndefined({ sessionId }) };
    const title = name.trim() || source.name;
    create.mutate(
      { ...clippedObject, startTime: Math.round(startTime), endTime: Math.round(endTime), name: title },
      {
        onSuccess: ({ asset }) => {
          toast.success(t('creating', { name: asset.name }), {
            action: { label: t('open'), onClick: () => router.push(`/assets/${asset.id}`) },
          });
          onClose();
        },
      },
    );
  };
  return (
    <Panel title={t('title')} description={t('description')}>
      <MutationForm
        form={form}
        className="grid gap-4"
        error={isUndated ? t('noDate') : form.otherErrors}
        actions={
          <div className="flex flex-wrap justify-end gap-2">
            <Button onClick={onClose}>{t('cancel')}</Button>
            <SubmitButton>{t('create')}</SubmitButton>
          </div>
        }
        onSubmit={submit}
      >
        <ClipHandles {...{ video, bounds, draft, changeDraft }} />
        <Field label={t('name')} error={form.errorOf('name')}>
          {(field) => <Input {...field} {...form.register('name')} maxLength={500} autoComplete="off" />}
        </Field>
      </MutationForm>
    </Panel>
  );
}
