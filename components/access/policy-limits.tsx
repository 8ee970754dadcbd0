'use client';

import { type Control, Controller } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { OriginsField } from '@/components/keys/origins-field';
import { errorMessageFor } from '@/components/ui/form/server-messages';
import { CountriesField } from './countries-field';
import type { PolicyDraft } from './policy-draft';

interface PolicyLimitsProps {
  control: Control<PolicyDraft>;
  /** @param faulty whether the field contains text that is not an origin */
  onFault: (faulty: boolean) => void;
  /** Validation errors of the form. */
  complaints: Readonly<Record<'origins' | 'countries', string | undefined>>;
  /** Error messages of the service. */
  policyErrors: readonly string[];
  /** The saved policy names countries. */
  hadCountries: boolean;
}

/** Limits by website and country, which apply to every policy type. */
export function PolicyLimits({
  control,
  onFault,
  complaints,
  policyErrors,
  hadCountries,
}: PolicyLimitsProps) {
  const t = useTranslations('access.policy');
  const ofCountries =
    errorMessageFor('allowedCountries', policyErrors) ?? errorMessageFor('blockedCountries', policyErrors);
  return (
    <>
      <Controller
        control={control}
        name="origins"
        render={({ field }) => (
          <OriginsField
            value={field.value}
            onChange={field.onChange}
            onFault={onFault}
            hint={t('origins')}
            listLabel={t('originsLabel')}
            error={complaints.origins ?? errorMessageFor('allowedOrigins', policyErrors)}
          />
        )}
      />
      <Controller
        control={control}
        name="countries"
        render={({ field: { value, onChange } }) => (
          <CountriesField
            {...{ value, onChange }}
            hadCountries={hadCountries}
            error={complaints.countries ?? ofCountries}
          />
        )}
      />
    </>
  );
}
