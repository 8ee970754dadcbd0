'use client';

import { zodResolver } from '@hookform/resolvers/zod';
import { useForm, useWatch } from 'react-hook-form';
import { z } from 'zod';
import { Button } from '@/components/ui/button';
import { DialogActions } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { FormError } from '@/components/ui/form-error';
import { Input } from '@/components/ui/input';
import { otherSentences, sentenceFor } from '@/components/ui/server-sentences';
import type { Profile } from '@/lib/contract/profile';
import { presetsFor } from './transcode-presets';

const whole = (what: string, min: number, max: number) =>
  z.coerce
    .number({ error: `${what} must be a number` })
    .int({ error: 'Must be a whole number' })
    .min(min, { error: `At least ${min}` })
    .max(max, { error: `At most ${max.toLocaleString('en')}` });

const form = z.object({
  name: z
    .string()
    .trim()
    .min(1, { error: 'Enter a name for the new asset' })
    .max(500, { error: 'At most 500 characters' }),
  width: whole('Width', 128, 7680),
  height: whole('Height', 128, 7680),
  kilobits: whole('Bitrate', 1, 100_000),
  fps: whole('Frames', 0, 240),
});

interface TranscodeFormProps {
  /** Of the asset. */
  name: string;
  picture: { width: number; height: number };
  pending: boolean;
  /** Sentences of the service's refusal. */
  sentences: readonly string[];
  onSubmit: (order: { name: string; profile: Profile }) => void;
}

const fields = ['name', 'profile'] as const;

export function TranscodeForm({ name, picture, pending, sentences, onSubmit }: TranscodeFormProps) {
  const presets = presetsFor(picture);
  const [first] = presets;
  const { register, handleSubmit, formState, setValue, control } = useForm({
    resolver: zodResolver(form),
    defaultValues: {
      name: `${name} (${first?.name ?? ''})`,
      width: first?.width ?? 854,
      height: first?.height ?? 480,
      kilobits: (first?.bitrate ?? 1_000_000) / 1_000,
      fps: 0,
    },
  });
  const height = Number(useWatch({ control, name: 'height' }));
  const choose = (preset: Profile) => {
    setValue('name', `${name} (${preset.name})`);
    setValue('width', preset.width);
    setValue('height', preset.height);
    setValue('kilobits', preset.bitrate / 1_000);
  };
  const submit = handleSubmit((values) =>
    onSubmit({
      name: values.name,
      profile: {
        name: `${values.height}p`,
        width: values.width,
        height: values.height,
        bitrate: values.kilobits * 1_000,
        fps: values.fps,
      },
    }),
  );
  const numbers = [
    ['width', 'Width (pixels)'],
    ['height', 'Height (pixels)'],
    ['kilobits', 'Bitrate (kbit/s)'],
    ['fps', 'Frames per second'],
  ] as const;
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-5">
      <div role="group" aria-label="Rendition" className="flex flex-wrap gap-2">
        {presets.map((preset) => (
          <Button
            key={preset.name}
            size="sm"
            aria-pressed={preset.height === height}
            onClick={() => choose(preset)}
            className="aria-pressed:border-accent-line aria-pressed:bg-accent-soft aria-pressed:text-accent-ink rounded-full"
          >
            {preset.name}
          </Button>
        ))}
      </div>
      <div className="grid grid-cols-2 gap-4">
        {numbers.map(([key, label]) => (
          <Field
            key={key}
            label={label}
            error={formState.errors[key]?.message}
            {...(key === 'fps' ? { hint: '0 keeps the source frame rate' } : {})}
          >
            {(field) => <Input {...field} {...register(key)} inputMode="numeric" autoComplete="off" />}
          </Field>
        ))}
      </div>
      <Field label="New asset name" error={formState.errors.name?.message ?? sentenceFor('name', sentences)}>
        {(field) => <Input {...field} {...register('name')} autoComplete="off" />}
      </Field>
      <FormError>{sentenceFor('profile', sentences) ?? otherSentences(fields, sentences)}</FormError>
      <DialogActions>
        <Button type="submit" variant="primary" pending={pending}>
          Transcode
        </Button>
      </DialogActions>
    </form>
  );
}
