'use client';

import { MutationForm } from '@/components/ui/form/mutation-form';
import { type FormMutation, useMutationForm } from '@/components/ui/form/use-mutation-form';
import { useWatch } from 'react-hook-form';
import { useLocale, useTranslations } from 'use-intl';
import { Field, Select } from '@/components/ui/form/field';
import type { useAddTrack } from '@/lib/client/queries/track-queries';
import type { Track } from '@/lib/contract/assets/track';
import { languageName, canonicalizeLanguageTag } from '@/lib/core/captions/track-language';
import { type LanguageAndLabel, TrackFields, trackRequest } from './track-fields';
import { CaptionFileField, type ChosenCaptionFile } from './caption-file-field';

/** BCP 47 tags of the most used languages. The API accepts every tag. */
const languageTags =
  'ar bg bn ca cs da de el en en-GB en-US es es-419 et eu fa fi fil fr fr-CA gl he hi hr hu id is it ja kn ko lt lv ml mr ms nb nl pa pl pt pt-BR ro ru sk sl sr sv ta te th tr uk ur vi zh-Hans zh-Hant'.split(
    ' ',
  );

interface TrackFormProps {
  mutation: FormMutation;
  onSubmit: (track: Parameters<ReturnType<typeof useAddTrack>['mutate']>[0]) => void;
}

interface TrackValues extends LanguageAndLabel {
  /** The chosen file; its text becomes the `body` of the request. */
  readonly body: ChosenCaptionFile | null;
  /** `captions` also describe sounds; `subtitles` contain only speech. */
  readonly kind: Track['kind'];
}

/**
 * Form that adds a text track from a WebVTT or SubRip file. Pages call every text track "subtitles"; the field for the kind
 * distinguishes subtitles and captions, as in HTML.
 */
export function TrackForm({ mutation, onSubmit }: TrackFormProps) {
  const t = useTranslations('assets.tracksPanel');
  const locale = useLocale();
  const form = useMutationForm<TrackValues, keyof TrackValues>({
    mutation,
    fields: ['body', 'language', 'kind', 'label'],
    defaultValues: { body: null, language: locale, label: '', kind: 'subtitles' },
  });
  const { control, errorOf, register, setValue } = form;
  const [file, language] = useWatch({ control, name: ['body', 'language'] });
  const onFileChosen = (chosenFile: ChosenCaptionFile) => {
    setValue('body', chosenFile, { shouldValidate: true });
    // Language in a file name such as "film.de.srt" or "film.pt-BR.vtt": two letters, and at most one subtag of letters.
    const fileLanguage = canonicalizeLanguageTag(
      /[._-]([A-Za-z]{2}(?:-[A-Za-z]{2,4})?)\.\w+$/.exec(chosenFile.name)?.[1] ?? '',
    );
    if (fileLanguage !== null && languageTags.includes(fileLanguage)) setValue('language', fileLanguage);
  };
  register('body', {
    // Returns true if the file is valid, otherwise the message.
    validate: (chosenFile) => {
      if (chosenFile === null) return t('fileRequired');
      return chosenFile.problemKey === undefined || t(chosenFile.problemKey);
    },
  });
  return (
    <MutationForm
      form={form}
      submitLabel={t('add')}
      onSubmit={({ body, kind, ...languageAndLabel }) =>
        onSubmit({ ...trackRequest(languageAndLabel), kind, body: body?.text ?? '' })
      }
    >
      <div role="group" aria-label={t('file')} className="grid gap-1.5">
        <div className="text-sm font-medium">{t('file')}</div>
        <div className="flex min-w-0 flex-wrap items-center gap-3">
          <CaptionFileField label={t('subtitleFile')} onFile={onFileChosen}>
            {t('chooseFile')}
          </CaptionFileField>
          {file && <span className="text-ink-2 min-w-0 wrap-anywhere">{file.name}</span>}
        </div>
        <p className="text-ink-3 text-sm">{t('fileHint')}</p>
        <p role="alert" className="text-live-ink text-sm empty:hidden">
          {errorOf('body')}
        </p>
      </div>
      <TrackFields
        languageField={{ registration: register('language'), error: errorOf('language') }}
        labelField={{ registration: register('label'), error: errorOf('label') }}
        selectedLanguage={language}
        languageTags={languageTags}
        languageLabel={t('language')}
        labelHint={t('labelHint')}
        defaultLabelFor={languageName}
      >
        <Field label={t('kind')} error={errorOf('kind')}>
          {(field) => (
            <Select {...field} {...register('kind')}>
              <option value="subtitles">{t('kinds.subtitles')}</option>
              <option value="captions">{t('kinds.captions')}</option>
            </Select>
          )}
        </Field>
      </TrackFields>
    </MutationForm>
  );
}
