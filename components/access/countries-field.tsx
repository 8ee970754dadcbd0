'use client';

import { RemovableItems } from '@/components/ui/form/removable-items';
import { useState } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { Field, Select } from '@/components/ui/form/field';
import { countryCodes } from '@/lib/core/access/countries';
import { useServerFeatures } from '@/components/shell/server-features';
import { type CountryDraft, countryRules } from './policy-draft';

interface CountriesFieldProps {
  value: CountryDraft;
  onChange: (countries: CountryDraft) => void;
  /** Whether the saved policy has countries. They can be removed even if the server cannot determine countries. */
  hadCountries: boolean;
  error: string | undefined;
}

/** Limits playback to countries. Available only if the server can determine the country of viewers. */
export function CountriesField({ value, onChange, hadCountries, error }: CountriesFieldProps) {
  const t = useTranslations('access.policy');
  const { knowsCountries } = useServerFeatures();
  if (!knowsCountries && !hadCountries) return null;
  const { rule, codes } = value;
  return (
    <div className="grid gap-3">
      <Field
        label={t('countries')}
        hint={t(knowsCountries ? 'countriesHint' : 'countriesUnknown')}
        error={error}
      >
        {(field) => (
          <Select
            {...field}
            value={rule}
            onChange={(event) =>
              onChange({
                codes,
                rule: countryRules.find((countryRule) => countryRule === event.target.value) ?? 'any',
              })
            }
            className="sm:max-w-sm"
          >
            {countryRules.map((countryRule) => (
              <option key={countryRule} value={countryRule}>
                {t(`countryRules.${countryRule}`)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {rule !== 'any' && (
        <CountryList codes={codes} onChange={(newCodes) => onChange({ rule, codes: newCodes })} />
      )}
    </div>
  );
}

interface CountryListProps {
  /** ISO 3166-1 alpha-2 codes. */
  codes: readonly string[];
  onChange: (codes: string[]) => void;
}

function CountryList({ codes, onChange }: CountryListProps) {
  const t = useTranslations('access.policy');
  const locale = useLocale();
  const [selectedCode, setSelectedCode] = useState('');
  const regions = new Intl.DisplayNames([locale], { type: 'region' });
  const countryName = (code: string) => regions.of(code) ?? code;
  const availableCountries = countryCodes
    .filter((code) => !codes.includes(code))
    .map((code) => ({ code, name: countryName(code) }))
    .sort((a, b) => a.name.localeCompare(b.name, locale));
  return (
    <div className="grid gap-2">
      <Field label={t('country')}>
        {(field) => (
          <div className="flex gap-2 sm:max-w-sm">
            <Select {...field} value={selectedCode} onChange={(event) => setSelectedCode(event.target.value)}>
              <option value="">{t('chooseCountry')}</option>
              {availableCountries.map(({ code, name }) => (
                <option key={code} value={code}>
                  {name}
                </option>
              ))}
            </Select>
            <Button
              disabled={selectedCode === ''}
              onClick={() => {
                onChange([...codes, selectedCode]);
                setSelectedCode('');
              }}
            >
              {t('addCountry')}
            </Button>
          </div>
        )}
      </Field>
      <RemovableItems
        label={t('chosenCountries')}
        items={codes.map((code) => ({
          value: code,
          text: countryName(code),
          removeLabel: t('removeCountry', { country: countryName(code) }),
        }))}
        onRemove={(removedCode) => onChange(codes.filter((code) => code !== removedCode))}
      />
    </div>
  );
}
