'use client';

import { X } from 'lucide-react';
import { useState } from 'react';
import { type Control, useController } from 'react-hook-form';
import { useLocale, useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { Field, Select } from '@/components/ui/form/field';
import { countryCodes } from '@/lib/core/access/countries';
import { useKnowsCountries } from './knows-countries';
import { type PolicyDraft, countryRules } from './policy-draft';

interface CountriesFieldProps {
  control: Control<PolicyDraft>;
  /** The policy names countries, which the owner can take back on any server. */
  stored: boolean;
  error: string | undefined;
}

/** Limits playback to countries; only there if the server can tell them. */
export function CountriesField({ control, stored, error }: CountriesFieldProps) {
  const t = useTranslations('access.policy');
  const known = useKnowsCountries();
  const { field: rule } = useController({ control, name: 'countryRule' });
  const { field: list } = useController({ control, name: 'countries' });
  if (!known && !stored) return null;
  return (
    <div className="grid gap-3">
      <Field label={t('countries')} hint={t(known ? 'countriesHint' : 'countriesUnknown')} error={error}>
        {(field) => (
          <Select {...field} {...rule} className="sm:max-w-sm">
            {countryRules.map((value) => (
              <option key={value} value={value}>
                {t(`countryRules.${value}`)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {rule.value !== 'any' && <CountryList value={list.value} onChange={list.onChange} />}
    </div>
  );
}

interface CountryListProps {
  value: readonly string[];
  onChange: (codes: readonly string[]) => void;
}

function CountryList({ value, onChange }: CountryListProps) {
  const t = useTranslations('access.policy');
  const locale = useLocale();
  const [next, setNext] = useState('');
  const regions = new Intl.DisplayNames([locale], { type: 'region' });
  const nameOf = (code: string) => regions.of(code) ?? code;
  const others = countryCodes
    .filter((code) => !value.includes(code))
    .map((code) => ({ code, name: nameOf(code) }))
    .sort((one, other) => one.name.localeCompare(other.name, locale));
  return (
    <div className="grid gap-2">
      <Field label={t('country')}>
        {(field) => (
          <div className="flex gap-2 sm:max-w-sm">
            <Select {...field} value={next} onChange={(event) => setNext(event.target.value)}>
              <option value="">{t('chooseCountry')}</option>
              {others.map(({ code, name }) => (
                <option key={code} value={code}>
                  {name}
                </option>
              ))}
            </Select>
            <Button
              disabled={next === ''}
              onClick={() => {
                onChange([...value, next]);
                setNext('');
              }}
            >
              {t('addCountry')}
            </Button>
          </div>
        )}
      </Field>
      {value.length > 0 && (
        <ul aria-label={t('chosenCountries')} className="flex flex-wrap gap-1.5">
          {value.map((code) => (
            <li
              key={code}
              className="bg-sunken inline-flex h-8 max-w-full items-center gap-1 rounded-md border pl-2.5 text-sm"
            >
              <span className="truncate">{nameOf(code)}</span>
              <button
                type="button"
                aria-label={t('removeCountry', { country: nameOf(code) })}
                onClick={() => onChange(value.filter((each) => each !== code))}
                className="text-ink-3 hover:text-ink inline-flex size-8 items-center justify-center"
              >
                <X aria-hidden="true" className="size-3.5" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
