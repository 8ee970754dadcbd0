import type { Metadata } from 'next';
import Link from 'next/link';
import { redirect } from 'next/navigation';
import { pathAfterLogIn } from '@/lib/core/access/own-path';
import { getSessionUser, signUpIsOpen } from '@/lib/http/sessions/session-user';
import { LogInForm } from './log-in-form';

export const metadata: Metadata = { title: 'Log in' };

export default async function LogInPage({
  searchParams,
}: {
  searchParams: Promise<{ next?: string | string[] }>;
}) {
  const wanted = (await searchParams).next;
  const next = pathAfterLogIn(typeof wanted === 'string' ? wanted : null);
  if (await getSessionUser()) redirect(next);
  const other = next === '/' ? '/signup' : `/signup?next=${encodeURIComponent(next)}`;
  return (
    <>
      <h1 className="text-2xl font-semibold tracking-tight">Log in</h1>
      <p className="text-ink-2 mt-1 mb-8">Welcome back.</p>
      <LogInForm next={next} />
      {signUpIsOpen() && (
        <p className="text-ink-2 mt-6">
          New here?{' '}
          <Link href={other} className="text-accent-ink font-medium underline underline-offset-4">
            Create an account
          </Link>
        </p>
      )}
    </>
  );
}
