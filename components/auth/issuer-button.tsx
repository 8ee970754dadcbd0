'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { FormError } from '@/components/ui/form/field';

interface IssuerButtonProps {
  /** Display name of the issuer, set by the operator. */
  name: string;
  /**
   * Opens the page of the issuer.
   * @returns false if the server can't be reached
   */
  onContinue: () => Promise<boolean>;
}

/** Button to sign in with the OpenID Connect issuer of the setting OIDC_ISSUER. */
export function IssuerButton({ name, onContinue }: IssuerButtonProps) {
  const t = useTranslations('auth');
  const [pending, setPending] = useState(false);
  const [unreachable, setUnreachable] = useState(false);

  async function continueAtIssuer() {
    setPending(true);
    setUnreachable(false);
    if (await onContinue()) return;
    setUnreachable(true);
    setPending(false);
  }

  return (
    <div className="mb-6 grid gap-6">
      <Button
        type="button"
        size="lg"
        pending={pending}
        className="w-full"
        onClick={() => void continueAtIssuer()}
      >
        {t('oidc.continue', { name })}
      </Button>
      <FormError>{unreachable ? t('rejection.unreachable') : undefined}</FormError>
      <p className="text-ink-2 text-center">{t('oidc.or')}</p>
    </div>
  );
}
