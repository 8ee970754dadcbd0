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
export interface TrackLanguage {
  readonly language: string;
  readonly label: string;
}

/** Language and label for a request. */
export function trackRequest({ language, label }: TrackLanguage): { language: string; label?: string } {
  return { language, ...(label.trim() === '' ? {} : { label: label.trim() }) };
}

/** Registration of a form field, and its error. */
type FormField = readonly [registration: UseFormRegisterReturn, error: string | undefined];

interface TrackFieldsProps {
  languageField: FormField;
  labelField: FormField;
  /** BCP 47 tag. */
  selectedLanguage: string;
  /** BCP 47 tags of the selectable languages. */
  languages: readonly string[];
  /** Label of the language field. */
  languageLabel: string;
  labelHint: string;
  /** Label that the service uses for an empty field. */
  defaultLabel: (language: string) => string;
  /** A field beside the language. */
  children?: ReactNode;
}

/** Language of a subtitle track, and its label in the player menu. */
export function TrackFields(props: TrackFieldsProps) {
  const { selectedLanguage, languages, languageLabel, labelHint, defaultLabel, children } = props;
  const [languageRegistration, languageError] = props.languageField;
  const [labelRegistration, labelError] = props.labelField;
  const t = useTranslations('assets.tracksPanel');
  const locale = useLocale();
  const formatLanguage = useLanguageNames();
  const sortedLanguages = languages
    .map((tag) => ({ tag, name: formatLanguage(tag) }))
    .sort((a, b) => a.name.localeCompare(b.name, locale));
  const languageChoice = (
    <Field label={languageLabel} error={languageError}>
      {(field) => (
        <Select {...field} {...languageRegistration}>
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
      <Field label={t('label')} hint={labelHint} error={labelError}>
        {(field) => (
          <Input
            {...field}
            {...labelRegistration}
            maxLength={100}
            autoComplete="off"
            placeholder={defaultLabel(selectedLanguage)}
          />
        )}
      </Field>
    </>
  );
}
