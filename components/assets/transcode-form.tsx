'use client';

import { zodResolver } from '@hookform/resolvers/zod';
import { useWatch } from 'react-hook-form';
import { z } from 'zod';
import { useRouter } from 'next/navigation';
import { useMemo } from 'react';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import type { Translator } from '@/components/i18n/messages';
import { Field, Input } from '@/components/ui/form/field';
import { MutationForm } from '@/components/ui/form/mutation-form';
import { type FormMutation, useMutationForm } from '@/components/ui/form/use-mutation-form';
import { Dialog } from '@/components/ui/overlay/dialog';
import { useTranscodeAsset } from '@/lib/client/queries/asset-queries';
import type { Asset } from '@/lib/contract/assets/asset';
import type { Profile } from '@/lib/contract/streams/profile';
import { presetsFor } from './transcode-presets';

type TranscodeTranslator = Translator<'assets.transcodeForm'>;

const wholeNumber = (
  t: TranscodeTranslator,
  field: 'width' | 'height' | 'kilobits' | 'fps',
  min: number,
  max: number,
) =>
  z.coerce
    .number({ error: t(`notANumber.${field}`) })
    .int({ error: t('wholeNumber') })
    .min(min, { error: t('atLeast', { min }) })
    .max(max, { error: t('atMost', { max }) });

/** Schema of the form, with the limits of the API and messages in the user's language. */
const transcodeSchema = (t: TranscodeTranslator) =>
  z.object({
    name: z
      .string()
      .trim()
      .min(1, { error: t('enterName') })
      .max(500, { error: t('nameTooLong') }),
    width: wholeNumber(t, 'width', 128, 7680),
    height: wholeNumber(t, 'height', 128, 7680),
    kilobits: wholeNumber(t, 'kilobits', 1, 100_000),
    fps: wholeNumber(t, 'fps', 0, 240),
  });

const numberFields = ['width', 'height', 'kilobits', 'fps'] as const;

interface TranscodeFormProps {
  name: string;
  sourceSize: { width: number; height: number };
  mutation: FormMutation;
  onSubmit: (request: { name: string; profile: Profile }) => void;
}

function TranscodeForm({ name, sourceSize, mutation, onSubmit }: TranscodeFormProps) {
  const t = useTranslations('assets.transcodeForm');
  const resolver = useMemo(() => zodResolver(transcodeSchema(t)), [t]);
  const presets = presetsFor(sourceSize);
  const [largestPreset] = presets;
  const form = useMutationForm({
    mutation,
    fields: {
      name: 'name',
      width: 'profile.width',
      height: 'profile.height',
      kilobits: 'profile.bitrate',
      fps: 'profile.fps',
    },
    resolver,
    defaultValues: {
      name: `${name} (${largestPreset?.name ?? ''})`,
      width: largestPreset?.width ?? 854,
      height: largestPreset?.height ?? 480,
      kilobits: (largestPreset?.bitrate ?? 1_000_000) / 1_000,
      fps: 0,
    },
  });
  const { control, errorOf, register, setValue } = form;
  const height = Number(useWatch({ control, name: 'height' }));
  const choosePreset = (preset: Profile) => {
    setValue('name', `${name} (${preset.name})`);
    setValue('width', preset.width);
    setValue('height', preset.height);
    setValue('kilobits', preset.bitrate / 1_000);
  };
  const submit = ({ name, kilobits, ...profile }: z.output<ReturnType<typeof transcodeSchema>>) =>
    onSubmit({ name, profile: { ...profile, name: `${profile.height}p`, bitrate: kilobits * 1_000 } });
  return (
    <MutationForm form={form} submitLabel={t('transcode')} onSubmit={submit}>
      <div role="group" aria-label={t('rendition')} className="flex flex-wrap gap-2">
        {presets.map((preset) => (
          <Button
            key={preset.name}
            size="sm"
            aria-pressed={preset.height === height}
            onClick={() => choosePreset(preset)}
            className="aria-pressed:border-accent-line aria-pressed:bg-accent-soft aria-pressed:text-accent-ink rounded-full"
          >
            {preset.name}
          </Button>
        ))}
      </div>
      <div className="grid grid-cols-2 gap-4">
        {numberFields.map((key) => (
          <Field
            key={key}
            label={t(`field.${key}`)}
            error={errorOf(key)}
            {...(key === 'fps' ? { hint: t('fpsHint') } : {})}
          >
            {(field) => <Input {...field} {...register(key)} inputMode="numeric" autoComplete="off" />}
          </Field>
        ))}
      </div>
      <Field label={t('newAssetName')} error={errorOf('name')}>
        {(field) => <Input {...field} {...register('name')} autoComplete="off" />}
      </Field>
    </MutationForm>
  );
}

/** Dialog that starts a transcode of an asset with video. */
export function TranscodeAssetDialog({ asset, onClose }: { asset: Asset; onClose: () => void }) {
  const t = useTranslations('assets.transcodeForm');
  const router = useRouter();
  const startTranscode = useTranscodeAsset(asset.id);
  const video = asset.videoSpec?.tracks.find((track) => track.type === 'video');
  if (video?.type !== 'video') return null;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('transcodeName', { name: asset.name })}
      description={t('description', { width: String(video.width), height: String(video.height) })}
    >
      <TranscodeForm
        name={asset.name}
        sourceSize={video}
        mutation={startTranscode}
        onSubmit={(request) =>
          startTranscode.mutate(request, {
            onSuccess: (task) => {
              onClose();
              toast.success(t('transcoding', { name: task.asset.name }), {
                action: { label: t('open'), onClick: () => router.push(`/assets/${task.asset.id}`) },
              });
            },
          })
        }
      />
    </Dialog>
  );
}
