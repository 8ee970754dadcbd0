import type { Metadata } from 'next';
import Link from 'next/link';
import { redirect } from 'next/navigation';
import { getTranslations } from '@/app/words';
import { pathAfterLogIn } from '@/lib/core/access/own-path';
import { getSessionUser, signUpIsOpen } from '@/lib/http/sessions/session-user';
import { LogInForm } from './log-in-form';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('auth.logIn'))('title') };
}

export default async function LogInPage({
  searchParams,
}: {
  searchParams: Promise<{ next?: string | string[] }>;
}) {
  const t = await getTranslations('auth.logIn');
  const wanted = (await searchParams).next;
  const next = pathAfterLogIn(typeof wanted === 'string' ? wanted : null);
  if (await getSessionUser()) redirect(next);
  const other = next === '/' ? '/signup' : `/signup?next=${encodeURIComponent(next)}`;
  return (
    <>
      <h1 className="text-2xl font-semibold tracking-tight">{t('title')}</h1>
      <p className="text-ink-2 mt-1 mb-8">{t('welcome')}</p>
      <LogInForm next={next} />
      <p className="mt-6">
        <Link href="/reset-password" className="text-accent-ink font-medium underline underline-offset-4">
          {t('forgot')}
        </Link>
      </p>
      {signUpIsOpen() && (
        <p className="text-ink-2 mt-2">
          {t.rich('newHere', {
            link: (text) => (
              <Link href={other} className="text-accent-ink font-medium underline underline-offset-4">
                {text}
              </Link>
            ),
          })}
        </p>
      )}
    </>
  );
}
