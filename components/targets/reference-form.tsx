'use client';

import { MutationForm } from '@/components/ui/form/mutation-form';
import { type FormMutation, useMutationForm } from '@/components/ui/form/use-mutation-form';
import { Plus } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { Field, Select } from '@/components/ui/form/field';
import type { MultistreamTarget } from '@/lib/contract/targets/multistream';

/** Reference of a stream to a multistream target: which rendition of the stream the target gets. */
export interface NewReference {
  /** Id of the target. */
  id: string;
  /** Name of the rendition, or "source". */
  profile: string;
  videoOnly: boolean;
}

interface ReferenceFormProps {
  targets: readonly MultistreamTarget[];
  /** Id of the target that is selected first. */
  selectedTargetId: string;
  /** Names of the stream's renditions, "source" first. */
  renditions: readonly string[];
  mutation: FormMutation;
  /** Called to create a target that is not in the list. */
  onCreate: () => void;
  onSubmit: (reference: NewReference) => void;
}

/** Form that adds one of the team's targets to a stream. */
export function ReferenceForm({
  targets,
  selectedTargetId,
  renditions,
  mutation,
  onCreate,
  onSubmit,
}: ReferenceFormProps) {
  const t = useTranslations('targets.referenceForm');
  const form = useMutationForm({
    mutation,
    fields: [],
    defaultValues: { id: selectedTargetId, profile: renditions[0] ?? '', videoOnly: false },
  });
  const { register } = form;
  return (
    <MutationForm form={form} submitLabel={t('addToStream')} onSubmit={onSubmit}>
      <Field label={t('target')}>
        {(field) => (
          <Select {...field} {...register('id')} defaultValue={selectedTargetId}>
            {targets.map(({ id, name, disabled }) => (
              <option key={id} value={id}>
                {disabled ? t('nameDisabled', { name }) : name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Button size="sm" className="-mt-2 justify-self-start" onClick={onCreate}>
        <Plus aria-hidden="true" />
        {t('createTarget')}
      </Button>
      <Field label={t('rendition')} hint={t('whatSourceIs')}>
        {(field) => (
          <Select {...field} {...register('profile')}>
            {renditions.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </Select>
        )}
      </Field>
      <label className="flex items-center gap-2.5">
        <input type="checkbox" {...register('videoOnly')} className="accent-accent size-4" />
        {t('withoutAudio')}
      </label>
    </MutationForm>
  );
}
