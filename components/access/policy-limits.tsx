'use client';

import { type Control, Controller } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { OriginsField } from '@/components/keys/origins-field';
import { errorMessageFor } from '@/components/ui/form/server-messages';
import { CountriesField } from './countries-field';
import type { PolicyDraft } from './policy-draft';

interface PolicyLimitsProps {
  control: Control<PolicyDraft>;
  /** Whether something is typed that is no origin. */
  onFault: (faulty: boolean) => void;
  /** Of the form. */
  complaints: Readonly<Record<'origins' | 'countries', string | undefined>>;
  /** Sentences of the service. */
  policyErrors: readonly string[];
  /** The saved policy names countries. */
  hadCountries: boolean;
}

/** Where viewers may watch, whatever they show. */
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
