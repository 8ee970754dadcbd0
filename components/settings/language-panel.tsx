'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'use-intl';
import { auto, storeLanguage, type LanguageChoice } from '@/components/i18n/language';
import { Field, Select } from '@/components/ui/form/field';
import { Panel } from '@/components/ui/panel';
import type { Language, LanguageName } from '@/messages/languages';

interface LanguagePanelProps {
  choice: LanguageChoice;
  /** Language that is used for "automatic". */
  browserLanguage: Language;
  languages: readonly LanguageName[];
}

/** Language of this browser; each change takes effect immediately. */
export function LanguagePanel({ choice, browserLanguage, languages }: LanguagePanelProps) {
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
                storeLanguage(value);
                router.refresh();
              }}
            >
              <option value={auto}>
                {t('automatic', {
                  language: languages.find(({ tag }) => tag === browserLanguage)?.name ?? browserLanguage,
                })}
              </option>
              {languages.map(({ tag, name }) => (
                <option key={tag} value={tag} lang={tag}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
    </Panel>
  );
}
