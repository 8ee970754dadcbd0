import type { Metadata } from 'next';
import Link from 'next/link';
import { redirect } from 'next/navigation';
import { getTranslations } from '@/app/messages';
import { FormError } from '@/components/ui/form/field';
import { pathAfterLogIn } from '@/lib/core/access/own-path';
import { oidcReasonOf } from '@/lib/core/accounts/oidc-admission';
import {
  getSessionUser,
  getIssuerName,
  offersPasskeys,
  isSignUpOpen,
} from '@/lib/http/sessions/session-user';
import { ContinueAtIssuerButton } from '../continue-at-issuer';
import { LogInForm } from './log-in-form';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('auth.logIn'))('title') };
}

export default async function LogInPage({
  searchParams,
}: {
  searchParams: Promise<{ next?: string | string[]; error?: string | string[] }>;
}) {
  const t = await getTranslations('auth.logIn');
  const { next: nextPath, error } = await searchParams;
  const next = pathAfterLogIn(typeof nextPath === 'string' ? nextPath : null);
  if (await getSessionUser()) redirect(next);
  const issuer = getIssuerName();
  const reason = issuer !== null && typeof error === 'string' ? oidcReasonOf(error) : null;
  const tOidc = await getTranslations('auth.oidc');
  const signUpPath = next === '/' ? '/signup' : `/signup?next=${encodeURIComponent(next)}`;
  return (
    <>
      <h1 className="text-2xl font-semibold tracking-tight">{t('title')}</h1>
      <p className="text-ink-2 mt-1 mb-8">{t('welcome')}</p>
      {reason && (
        <div className="mb-6">
          <FormError>{tOidc(reason)}</FormError>
        </div>
      )}
      <LogInForm
        next={next}
        withPasskeys={offersPasskeys()}
        before={issuer !== null && <ContinueAtIssuerButton name={issuer} next={next} />}
      >
        <p className="mt-6">
          <Link href="/reset-password" className="text-accent-ink font-medium underline underline-offset-4">
            {t('forgot')}
          </Link>
        </p>
        {isSignUpOpen() && (
          <p className="text-ink-2 mt-2">
            {t.rich('newHere', {
              link: (text) => (
                <Link href={signUpPath} className="text-accent-ink font-medium underline underline-offset-4">
                  {text}
                </Link>
              ),
            })}
          </p>
        )}
      </LogInForm>
    </>
  );
}
