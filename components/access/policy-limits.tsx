'use client';

import { type Control, Controller } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { OriginsField } from '@/components/keys/origins-field';
import { CountriesField } from './countries-field';
import type { PolicyDraft } from './policy-draft';

interface PolicyLimitFieldsProps {
  control: Control<PolicyDraft>;
  /** @param isInvalid whether the origins field contains text that is not an origin */
  onInvalidChange: (isInvalid: boolean) => void;
  errors: Readonly<Record<'origins' | 'countries', string | undefined>>;
  /** Whether the saved policy has countries. */
  hadCountries: boolean;
}

/** Limits by website and country, which apply to every policy type. */
export function PolicyLimitFields({
  control,
  onInvalidChange,
  errors,
  hadCountries,
}: PolicyLimitFieldsProps) {
  const t = useTranslations('access.policy');
  return (
    <>
      <Controller
        control={control}
        name="origins"
        render={({ field }) => (
          <OriginsField
            value={field.value}
            onChange={field.onChange}
            onInvalidChange={onInvalidChange}
            hint={t('origins')}
            listLabel={t('originsLabel')}
            error={errors.origins}
          />
        )}
      />
      <Controller
        control={control}
        name="countries"
        render={({ field: { value, onChange } }) => (
          <CountriesField {...{ value, onChange }} hadCountries={hadCountries} error={errors.countries} />
        )}
      />
    </>
  );
}
