'use client';

import { useWatch } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { Field, Textarea } from './field';
import { MutationForm, SubmitButton } from './mutation-form';
import { type FormMutation, useMutationForm } from './use-mutation-form';

interface DescriptionFormProps {
  /** Saved description; undefined: none. */
  savedText: string | undefined;
  mutation: FormMutation;
  /** @param onSaved must be called after the description was saved */
  onSave: (description: string, onSaved: () => void) => void;
}

/** Form for the description of a stream or an asset on its watch page. The button appears when the text has changed. */
export function DescriptionForm({ savedText = '', mutation, onSave }: DescriptionFormProps) {
  const t = useTranslations('ui.descriptionForm');
  const form = useMutationForm({
    mutation,
    fields: ['description'],
    values: { description: savedText },
    resetOptions: { keepDirtyValues: true },
  });
  const description = useWatch({ control: form.control, name: 'description' }).trim();
  const hasChanged = description !== savedText;
  return (
    <MutationForm
      form={form}
      canSubmit={hasChanged}
      className="grid gap-4"
      actions={
        hasChanged && (
          <div>
            <SubmitButton variant="secondary">{t('save')}</SubmitButton>
          </div>
        )
      }
      onSubmit={() => onSave(description, () => form.reset({ description }))}
    >
      <Field label={t('description')} hint={t('hint')} error={form.errorOf('description')}>
        {(field) => (
          <Textarea
            {...field}
            {...form.register('description')}
            rows={3}
            maxLength={5_000}
            className="font-sans text-base"
          />
        )}
      </Field>
    </MutationForm>
  );
}
