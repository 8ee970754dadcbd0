'use client';

import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { Field, FormError, Input } from '@/components/ui/form/field';
import { MutationForm, SubmitButton } from '@/components/ui/form/mutation-form';
import { type FormMutation, useMutationForm } from '@/components/ui/form/use-mutation-form';
import type { SecondStep } from '@/lib/core/accounts/sign-in-steps';

interface SecondStepFormProps {
  /** Available steps. One code field serves authenticator apps and recovery codes. */
  steps: readonly SecondStep[];
  /** State of the last attempt. */
  mutation: FormMutation;
  onCode: (code: string) => void;
  onPasskey: () => void;
  onBack: () => void;
}

/** Asks for the second step after the password. */
export function SecondStepForm({ steps, mutation, onCode, onPasskey, onBack }: SecondStepFormProps) {
  const t = useTranslations('auth.secondStep');
  const form = useMutationForm({ mutation, fields: ['code'], defaultValues: { code: '' } });
  const code = useWatch({ control: form.control, name: 'code' });
  const [asksRecoveryCode, setAsksRecoveryCode] = useState(
    !steps.includes('code') && !steps.includes('passkey'),
  );
  const asksPasskey = steps.includes('passkey') && !asksRecoveryCode;
  const asksCode = asksRecoveryCode || steps.includes('code');
  return (
    <MutationForm
      form={form}
      method="post"
      canSubmit={asksCode && code.trim() !== ''}
      actions={null}
      onSubmit={() => onCode(code)}
    >
      {asksCode && (
        <>
          <Field
            // The key resets the field when the kind of code changes.
            key={asksRecoveryCode ? 'recovery' : 'app'}
            label={asksRecoveryCode ? t('recoveryCode') : t('code')}
            hint={asksRecoveryCode ? t('recoveryHint') : t('codeHint')}
            error={form.errorOf('code')}
          >
            {(field) => (
              <Input
                {...field}
                {...form.register('code')}
                autoFocus
                autoComplete="one-time-code"
                inputMode={asksRecoveryCode ? 'text' : 'numeric'}
                autoCapitalize="none"
                spellCheck={false}
              />
            )}
          </Field>
          <SubmitButton size="lg" className="w-full">
            {t('logIn')}
          </SubmitButton>
        </>
      )}
      <FormError>{asksCode ? form.otherErrors : (form.errorOf('code') ?? form.otherErrors)}</FormError>
      {asksPasskey && (
        <Button
          size="lg"
          variant={asksCode ? 'secondary' : 'primary'}
          className="w-full"
          pending={mutation.isPending}
          onClick={onPasskey}
        >
          {t('usePasskey')}
        </Button>
      )}
      <div className="flex flex-wrap justify-between gap-x-4 gap-y-2">
        <Button variant="ghost" size="sm" className="-ml-3" onClick={onBack}>
          {t('back')}
        </Button>
        {steps.includes('recovery-code') && steps.length > 1 && (
          <Button
            variant="ghost"
            size="sm"
            className="-mr-3"
            onClick={() => {
              form.reset();
              setAsksRecoveryCode(!asksRecoveryCode);
            }}
          >
            {asksRecoveryCode ? t('noRecovery') : t('useRecovery')}
          </Button>
        )}
      </div>
    </MutationForm>
  );
}
