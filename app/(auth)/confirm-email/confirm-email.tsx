'use client';

import Link from 'next/link';
import { useTranslations } from 'use-intl';
import { useLinkToken } from '@/components/auth/use-link-token';
import { Button } from '@/components/ui/button';
import { FormError } from '@/components/ui/form/field';
import { asSentence, otherErrorMessages, errorMessageFor } from '@/components/ui/form/server-messages';
import { issuesOf } from '@/lib/client/call';
import { useConfirmEmail } from '@/lib/client/queries/account-queries';

export function ConfirmEmailForm() {
  const t = useTranslations('auth.confirm');
  const token = useLinkToken();
  const confirm = useConfirmEmail();
  // The token is in the fragment of the URL, which only the browser knows.
  if (token === null) return <div className="min-h-60" />;
  const issues = issuesOf(confirm.error);
  const errorMessage =
    errorMessageFor('token', issues) ?? errorMessageFor('email', issues) ?? otherErrorMessages([], issues);
  return (
    <>
      <h1 className="text-2xl font-semibold tracking-tight">{confirm.data ? t('done') : t('title')}</h1>
      <p className="text-ink-2 mt-1 mb-8 wrap-anywhere">
        {confirm.data
          ? t('doneText', { email: confirm.data.email })
          : token === ''
            ? t('incomplete')
            : t('text')}
      </p>
      <div className="grid gap-5">
        <FormError>{errorMessage && asSentence(errorMessage)}</FormError>
        {confirm.data ? (
          <Button asChild variant="primary" size="lg">
            <Link href="/">{t('home')}</Link>
          </Button>
        ) : (
          <Button
            variant="primary"
            size="lg"
            disabled={token === ''}
            pending={confirm.isPending}
            onClick={() => confirm.mutate(token)}
          >
            {t('confirm')}
          </Button>
        )}
      </div>
    </>
  );
}
