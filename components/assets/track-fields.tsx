'use client';

import type { ReactNode } from 'react';
import type { UseFormRegisterReturn } from 'react-hook-form';
import { useLocale, useTranslations } from 'use-intl';
import { Field, Input, Select } from '@/components/ui/form/field';

/** Returns language names in the language of the page. */
export function useLanguageNames(): (tag: string) => string {
  const names = new Intl.DisplayNames([useLocale()], { type: 'language' });
  return (tag) => names.of(tag) ?? tag;
}

/** Language (BCP 47 tag) and label of a track. An empty label means the default. */
export interface LanguageAndLabel {
  readonly language: string;
  readonly label: string;
}

/** Language and label for a request. */
export function trackRequest({ language, label }: LanguageAndLabel): { language: string; label?: string } {
  return { language, ...(label.trim() === '' ? {} : { label: label.trim() }) };
}

interface RegisteredField {
  readonly registration: UseFormRegisterReturn;
  /** Error message of the field. */
  readonly error: string | undefined;
}

interface TrackFieldsProps {
  languageField: RegisteredField;
  labelField: RegisteredField;
  /** BCP 47 tag. */
  selectedLanguage: string;
  /** BCP 47 tags of the selectable languages. */
  languageTags: readonly string[];
  /** Label of the language field. */
  languageLabel: string;
  labelHint: string;
  /** Label that the service uses for an empty field. */
  defaultLabelFor: (language: string) => string;
  /** A field beside the language. */
  children?: ReactNode;
}

/** Language of a subtitle track, and its label in the player menu. */
export function TrackFields(props: TrackFieldsProps) {
  const { languageField, labelField, selectedLanguage, languageTags, languageLabel } = props;
  const { labelHint, defaultLabelFor, children } = props;
  const t = useTranslations('assets.tracksPanel');
  const locale = useLocale();
  const formatLanguage = useLanguageNames();
  const sortedLanguages = languageTags
    .map((tag) => ({ tag, name: formatLanguage(tag) }))
    .sort((a, b) => a.name.localeCompare(b.name, locale));
  const languageChoice = (
    <Field label={languageLabel} error={languageField.error}>
      {(field) => (
        <Select {...field} {...languageField.registration}>
          {sortedLanguages.map(({ tag, name }) => (
            <option key={tag} value={tag}>
              {name}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
  return (
    <>
      {children ? (
        <div className="grid gap-5 sm:grid-cols-2">
          {languageChoice}
          {children}
        </div>
      ) : (
        languageChoice
      )}
      <Field label={t('label')} hint={labelHint} error={labelField.error}>
        {(field) => (
          <Input
            {...field}
            {...labelField.registration}
            maxLength={100}
            autoComplete="off"
            placeholder={defaultLabelFor(selectedLanguage)}
          />
        )}
      </Field>
    </>
  );
}
