'use client';

import { useTranslateMessage } from '@/components/i18n/reasons';
import { Plus, Trash2 } from 'lucide-react';
import { useFieldArray, useWatch, type FieldErrors, type ResolverResult } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { Field, Input } from '@/components/ui/form/field';
import { MutationForm } from '@/components/ui/form/mutation-form';
import {
  type FormMutation,
  type MutationFormState,
  useMutationForm,
} from '@/components/ui/form/use-mutation-form';
import { issuesOf } from '@/lib/client/call';
import type { Profile } from '@/lib/contract/streams/profile';
import {
  draftOf,
  emptyDraft,
  assignIssues,
  presetDraft,
  parseDrafts,
  renditionPresets,
  type RenditionDraft,
  type RenditionErrors,
  type RenditionField,
} from './rendition-drafts';

interface RenditionsFormProps {
  profiles: readonly Profile[];
  /** Names of renditions sent to targets, which cannot be deleted. */
  targetRenditions: readonly string[];
  mutation: FormMutation;
  onSubmit: (profiles: Profile[]) => void;
}

interface Values {
  renditions: RenditionDraft[];
}

interface ParsedRenditions {
  profiles: Profile[];
}

type Form = MutationFormState<Values, ParsedRenditions, never>;

/** Limit of renditions per stream. */
const MAX_RENDITIONS = 10;

const formFields: readonly RenditionField[] = ['name', 'width', 'height', 'kilobits', 'fps'];

/** Form for all renditions of a stream: the API replaces the whole list. */
export function RenditionsForm({ profiles, targetRenditions, mutation, onSubmit }: RenditionsFormProps) {
  const t = useTranslations('streams.renditionsForm');
  const tRenditionDrafts = useTranslations('streams.renditionDrafts');
  const translateMessage = useTranslateMessage();
  const form: Form = useMutationForm({
    mutation,
    // Errors of a rendition are shown at its own fields.
    fields: [],
    defaultValues: { renditions: profiles.map(draftOf) },
    resolver: (values: Values): ResolverResult<Values, ParsedRenditions> => {
      const result = parseDrafts(tRenditionDrafts, values.renditions, targetRenditions, translateMessage);
      return 'errors' in result
        ? { values: {}, errors: toFormErrors(result.errors) }
        : { values: result, errors: {} };
    },
  });
  const { fields: rows, append, remove } = useFieldArray({ control: form.control, name: 'renditions' });
  const serviceErrors = assignIssues(issuesOf(mutation.error));
  const { root } = form.formState.errors;
  return (
    <MutationForm
      form={form}
      submitLabel={t('saveRenditions')}
      error={root?.message ?? (serviceErrors.otherErrors.join('. ') || undefined)}
      onSubmit={(result) => onSubmit(result.profiles)}
    >
      <Presets
        form={form}
        isFull={rows.length >= MAX_RENDITIONS}
        onAdd={(draft, fieldName) => append(draft, { focusName: `renditions.${rows.length}.${fieldName}` })}
      />
      {rows.length === 0 && (
        <p className="text-ink-2 rounded-md border border-dashed px-4 py-6 text-center">{t('none')}</p>
      )}
      <ul className="grid gap-5 empty:hidden">
        {rows.map((row, index) => (
          <li key={row.id}>
            <Rendition
              form={form}
              index={index}
              serviceErrors={serviceErrors}
              onRemove={() => remove(index)}
            />
          </li>
        ))}
      </ul>
    </MutationForm>
  );
}

interface PresetsProps {
  form: Form;
  isFull: boolean;
  onAdd: (draft: RenditionDraft, fieldName: RenditionField) => void;
}

function Presets({ form, isFull, onAdd }: PresetsProps) {
  const t = useTranslations('streams.renditionsForm');
  const names = useWatch({ control: form.control, name: 'renditions' }).map(({ name }) => name.trim());
  return (
    <div role="group" aria-label={t('addARendition')} className="flex flex-wrap gap-2">
      {renditionPresets.map((preset) => (
        <Button
          key={preset.name}
          size="sm"
          className="rounded-full"
          disabled={isFull || names.includes(preset.name)}
          onClick={() => onAdd(presetDraft(preset), 'kilobits')}
        >
          <Plus aria-hidden="true" />
          {preset.name}
        </Button>
      ))}
      <Button size="sm" className="rounded-full" disabled={isFull} onClick={() => onAdd(emptyDraft, 'name')}>
        <Plus aria-hidden="true" />
        {t('other')}
      </Button>
    </div>
  );
}

interface RenditionProps {
  form: Form;
  index: number;
  /** Errors of the service. */
  serviceErrors: RenditionErrors;
  onRemove: () => void;
}

function Rendition({ form, index, serviceErrors, onRemove }: RenditionProps) {
  const t = useTranslations('streams.renditionsForm');
  const errors = form.formState.errors.renditions?.[index];
  return (
    <fieldset className="grid grid-cols-2 items-start gap-x-3 gap-y-4 border-b pb-5 sm:grid-cols-[minmax(0,1fr)_5.5rem_5.5rem_6.5rem_4.5rem_2rem]">
      <legend className="sr-only">{t('rendition', { position: index + 1 })}</legend>
      {formFields.map((field) => (
        <div key={field} className={field === 'name' ? 'max-sm:col-span-2' : ''}>
          <Field
            label={t(`field.${field}`)}
            error={
              errors?.[field]?.message ??
              serviceErrors.fields.find((error) => error.renditionIndex === index && error.field === field)
                ?.message
            }
          >
            {(control) => (
              <Input
                {...control}
                {...form.register(`renditions.${index}.${field}`)}
                inputMode={field === 'name' ? 'text' : 'decimal'}
                autoComplete="off"
                spellCheck={false}
                {...(field === 'fps' ? { title: t('zeroKeepsTheSource') } : {})}
              />
            )}
          </Field>
        </div>
      ))}
      <Button
        variant="ghost"
        size="icon"
        aria-label={t('removeRendition', { position: index + 1 })}
        onClick={onRemove}
        className="max-sm:col-span-2 max-sm:justify-self-end sm:mt-7"
      >
        <Trash2 aria-hidden="true" />
      </Button>
    </fieldset>
  );
}

/** Validation errors in the form of react-hook-form. */
function toFormErrors({ fields: fieldErrors, otherErrors }: RenditionErrors): FieldErrors<Values> {
  const renditions: NonNullable<FieldErrors<Values>['renditions']> = [];
  for (const { renditionIndex, field, message } of fieldErrors) {
    renditions[renditionIndex] = { [field]: { type: 'validate', message }, ...renditions[renditionIndex] };
  }
  return {
    ...(fieldErrors.length > 0 ? { renditions } : {}),
    ...(otherErrors.length > 0
      ? { root: { message: otherErrors.join(' ') } as FieldErrors<Values>['root'] & object }
      : {}),
  };
}
