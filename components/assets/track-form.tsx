'use client';

import { MutationForm } from '@/components/ui/form/mutation-form';
import { useState } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import { Field, Select } from '@/components/ui/form/field';
import { errorMessageFor } from '@/components/ui/form/server-messages';
import type { useAddTrack } from '@/lib/client/queries/track-queries';
import type { Track } from '@/lib/contract/assets/track';
import { languageName, languageTag } from '@/lib/core/captions/track-language';
import { type NamedTrack, TrackFields, namedTrack } from './track-fields';
import { CaptionFileField, type ChosenText } from './caption-file-field';

/** Most used languages. The API accepts every other tag. */
const languages =
  'ar bg bn ca cs da de el en en-GB en-US es es-419 et eu fa fi fil fr fr-CA gl he hi hr hu id is it ja kn ko lt lv ml mr ms nb nl pa pl pt pt-BR ro ru sk sl sr sv ta te th tr uk ur vi zh-Hans zh-Hant'.split(
    ' ',
  );

interface TrackFormProps {
  pending: boolean;
  errorMessages: readonly string[];
  onSubmit: (track: Parameters<ReturnType<typeof useAddTrack>['mutate']>[0]) => void;
}

/** A subtitle file and what it is. */
export function TrackForm({ pending, errorMessages, onSubmit }: TrackFormProps) {
  const t = useTranslations('assets.tracksPanel');
  const locale = useLocale();
  const [file, setFile] = useState<ChosenText | null>(null);
  const [missing, setMissing] = useState(false);
  const [track, setTrack] = useState<NamedTrack>({ language: locale, label: '' });
  const [kind, setKind] = useState<Track['kind']>('subtitles');
  const choose = (file: ChosenText) => {
    setFile(file);
    setMissing(false);
    // Language tag in a file name such as "film.de.srt".
    const fileLanguage = languageTag(
      /[._-]([A-Za-z]{2}(?:-[A-Za-z]{2,4})?)\.\w+$/.exec(file.name)?.[1] ?? '',
    );
    if (fileLanguage !== null && languages.includes(fileLanguage))
      setTrack((before) => ({ ...before, language: fileLanguage }));
  };
  const fileError =
    file?.text === null
      ? t('fileTooLarge')
      : missing
        ? t('chooseAFile')
        : errorMessageFor('body', errorMessages);
  return (
    <MutationForm
      pending={pending}
      errorMessages={errorMessages}
      fields={['body', 'language', 'kind', 'label']}
      submit={t('add')}
      onSubmit={() => {
        if (typeof file?.text !== 'string') setMissing(true);
        else onSubmit({ ...namedTrack(track), kind, body: file.text });
      }}
    >
      <div role="group" aria-label={t('file')} className="grid gap-1.5">
        <div className="text-sm font-medium">{t('file')}</div>
        <div className="flex min-w-0 flex-wrap items-center gap-3">
          <CaptionFileField label={t('subtitleFile')} onFile={choose}>
            {t('chooseFile')}
          </CaptionFileField>
          {file && <span className="text-ink-2 min-w-0 wrap-anywhere">{file.name}</span>}
        </div>
        <p className="text-ink-3 text-sm">{t('fileHint')}</p>
        <p role="alert" className="text-live-ink text-sm empty:hidden">
          {fileError}
        </p>
      </div>
      <TrackFields
        track={track}
        onChange={setTrack}
        languages={languages}
        language={t('language')}
        labelHint={t('labelHint')}
        defaultLabel={languageName}
        errorMessages={errorMessages}
      >
        <Field label={t('kind')} error={errorMessageFor('kind', errorMessages)}>
          {(field) => (
            <Select
              {...field}
              value={kind}
              onChange={({ target }) => setKind(target.value === 'captions' ? 'captions' : 'subtitles')}
            >
              <option value="subtitles">{t('kinds.subtitles')}</option>
              <option value="captions">{t('kinds.captions')}</option>
            </Select>
          )}
        </Field>
      </TrackFields>
    </MutationForm>
  );
}
