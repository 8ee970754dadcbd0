'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { Field, FormError, Input } from '@/components/ui/form/field';
import type { SecondStep } from '@/lib/core/accounts/sign-in-steps';

interface SecondStepFormProps {
  /** Available steps. One code field serves authenticator apps and recovery codes. */
  steps: readonly SecondStep[];
  pending: boolean;
  /** Why the last attempt failed. */
  sentence: string | null;
  onCode: (code: string) => void;
  onPasskey: () => void;
  onBack: () => void;
}

/** Asks for the second step after the password. */
export function SecondStepForm({ steps, pending, sentence, onCode, onPasskey, onBack }: SecondStepFormProps) {
  const t = useTranslations('auth.secondStep');
  const [code, setCode] = useState('');
  const [asksRecovery, setAsksRecovery] = useState(!steps.includes('code') && !steps.includes('passkey'));
  const byPasskey = steps.includes('passkey') && !asksRecovery;
  const asksCode = asksRecovery || steps.includes('code');
  return (
    <form
      noValidate
      method="post"
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (asksCode && code.trim() !== '' && !pending) onCode(code);
      }}
    >
      {asksCode && (
        <>
          <Field
            // The key resets the field when the kind of code changes.
            key={asksRecovery ? 'recovery' : 'app'}
            label={asksRecovery ? t('recoveryCode') : t('code')}
            hint={asksRecovery ? t('recoveryHint') : t('codeHint')}
            error={sentence ?? undefined}
          >
            {(field) => (
              <Input
                {...field}
                autoFocus
                value={code}
                autoComplete="one-time-code"
                inputMode={asksRecovery ? 'text' : 'numeric'}
                autoCapitalize="none"
                spellCheck={false}
                onChange={(event) => setCode(event.target.value)}
              />
            )}
          </Field>
          <Button
            type="submit"
            variant="primary"
            size="lg"
            className="w-full"
            disabled={code.trim() === ''}
            pending={pending}
          >
            {t('logIn')}
          </Button>
        </>
      )}
      {!asksCode && <FormError>{sentence ?? undefined}</FormError>}
      {byPasskey && (
        <Button
          size="lg"
          variant={asksCode ? 'secondary' : 'primary'}
          className="w-full"
          pending={pending}
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
              setCode('');
              setAsksRecovery(!asksRecovery);
            }}
          >
            {asksRecovery ? t('noRecovery') : t('useRecovery')}
          </Button>
        )}
      </div>
    </form>
  );
}
