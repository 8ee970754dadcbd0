'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'use-intl';
import { auto, keepLanguage, type LanguageChoice } from '@/components/i18n/language';
import { Field, Select } from '@/components/ui/form/field';
import { Panel } from '@/components/ui/panel';
import { isLanguage, languageNames, languages, type Language } from '@/messages/languages';

interface LanguagePanelProps {
  choice: LanguageChoice;
  /** Language that "automatic" selects. */
  ofBrowser: Language;
}

/** Language of this browser; each change applies at once. */
export function LanguagePanel({ choice, ofBrowser }: LanguagePanelProps) {
  const t = useTranslations('settings.language');
  const router = useRouter();
  return (
    <Panel title={t('title')} description={t('description')}>
      <div className="max-w-sm">
        <Field label={t('label')}>
          {(field) => (
            <Select
              {...field}
              value={choice}
              onChange={({ target: { value } }) => {
                keepLanguage(isLanguage(value) ? value : auto);
                router.refresh();
              }}
            >
              <option value={auto}>{t('automatic', { language: languageNames[ofBrowser] })}</option>
              {languages.map((each) => (
                <option key={each} value={each} lang={each}>
                  {languageNames[each]}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
    </Panel>
  );
}
