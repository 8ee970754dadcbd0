'use client';

import type { ReactNode } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import { Field, Input, Select } from '@/components/ui/form/field';
import { errorMessageFor } from '@/components/ui/form/server-messages';

/** Returns language names in the language of the page. */
export function useLanguageNames(): (tag: string) => string {
  const names = new Intl.DisplayNames([useLocale()], { type: 'language' });
  return (tag) => names.of(tag) ?? tag;
}

/** Language and label of a track. An empty label means the default. */
export interface NamedTrack {
  readonly language: string;
  readonly label: string;
}

/** Language and label for a request. */
export function namedTrack({ language, label }: NamedTrack): { language: string; label?: string } {
  return { language, ...(label.trim() === '' ? {} : { label: label.trim() }) };
}

interface TrackFieldsProps {
  track: NamedTrack;
  onChange: (track: NamedTrack) => void;
  languages: readonly string[];
  /** Name of the form field. */
  language: string;
  labelHint: string;
  /** Label that the service uses for an empty field. */
  defaultLabel: (language: string) => string;
  /** Error messages of the service. */
  errorMessages: readonly string[];
  /** A field beside the language. */
  children?: ReactNode;
}

/** Language of a subtitle track, and its label in the player menu. */
export function TrackFields(props: TrackFieldsProps) {
  const { track, onChange, languages, language, labelHint, defaultLabel, errorMessages, children } = props;
  const t = useTranslations('assets.tracksPanel');
  const locale = useLocale();
  const nameOf = useLanguageNames();
  const matchingLanguages = languages
    .map((tag) => ({ tag, name: nameOf(tag) }))
    .sort((a, b) => a.name.localeCompare(b.name, locale));
  const languageField = (
    <Field label={language} error={errorMessageFor('language', errorMessages)}>
      {(field) => (
        <Select
          {...field}
          value={track.language}
          onChange={({ target }) => onChange({ ...track, language: target.value })}
        >
          {matchingLanguages.map(({ tag, name }) => (
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
          {languageField}
          {children}
        </div>
      ) : (
        languageField
      )}
      <Field label={t('label')} hint={labelHint} error={errorMessageFor('label', errorMessages)}>
        {(field) => (
          <Input
            {...field}
            maxLength={100}
            autoComplete="off"
            placeholder={defaultLabel(track.language)}
            value={track.label}
            onChange={({ target }) => onChange({ ...track, label: target.value })}
          />
        )}
      </Field>
    </>
  );
}
