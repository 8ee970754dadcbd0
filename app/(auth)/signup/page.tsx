import type { Metadata } from 'next';
import Link from 'next/link';
import { redirect } from 'next/navigation';
import { getTranslations } from '@/app/words';
import { pathAfterLogIn } from '@/lib/core/access/own-path';
import { getSessionUser, signUpIsOpen } from '@/lib/http/sessions/session-user';
import { SignUpForm } from './sign-up-form';

const createCommand = 'npm run cli -- account:create';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('auth.signUp'))('tab') };
}

export default async function SignUpPage({
  searchParams,
}: {
  searchParams: Promise<{ next?: string | string[] }>;
}) {
  const t = await getTranslations('auth.signUp');
  const wanted = (await searchParams).next;
  const next = pathAfterLogIn(typeof wanted === 'string' ? wanted : null);
  if (await getSessionUser()) redirect(next);
  const other = next === '/' ? '/login' : `/login?next=${encodeURIComponent(next)}`;
  return (
    <>
      {signUpIsOpen() ? (
        <>
          <h1 className="text-2xl font-semibold tracking-tight">{t('title')}</h1>
          <p className="text-ink-2 mt-1 mb-8">{t('text')}</p>
          <SignUpForm next={next} />
        </>
      ) : (
        <>
          <h1 className="text-2xl font-semibold tracking-tight">{t('closed')}</h1>
          <p className="text-ink-2 mt-1">
            {t.rich('closedText', { code: () => <code>{createCommand}</code> })}
          </p>
        </>
      )}
      <p className="text-ink-2 mt-6">
        {t.rich('haveAccount', {
          link: (text) => (
            <Link href={other} className="text-accent-ink font-medium underline underline-offset-4">
              {text}
            </Link>
          ),
        })}
      </p>
    </>
  );
}
