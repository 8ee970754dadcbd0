import type { Metadata } from 'next';
import Link from 'next/link';
import { redirect } from 'next/navigation';
import { pathAfterLogIn } from '@/lib/core/access/own-path';
import { getSessionUser, signUpIsOpen } from '@/lib/http/sessions/session-user';
import { SignUpForm } from './sign-up-form';

export const metadata: Metadata = { title: 'Sign up' };

export default async function SignUpPage({
  searchParams,
}: {
  searchParams: Promise<{ next?: string | string[] }>;
}) {
  const wanted = (await searchParams).next;
  const next = pathAfterLogIn(typeof wanted === 'string' ? wanted : null);
  if (await getSessionUser()) redirect(next);
  const other = next === '/' ? '/login' : `/login?next=${encodeURIComponent(next)}`;
  return (
    <>
      {signUpIsOpen() ? (
        <>
          <h1 className="text-2xl font-semibold tracking-tight">Create your account</h1>
          <p className="text-ink-2 mt-1 mb-8">All you need is an email address and a password.</p>
          <SignUpForm next={next} />
        </>
      ) : (
        <>
          <h1 className="text-2xl font-semibold tracking-tight">Sign-up is closed</h1>
          <p className="text-ink-2 mt-1">
            Ask the server operator for an account. Operators create accounts with{' '}
            <code>npm run cli -- account:create</code>.
          </p>
        </>
      )}
      <p className="text-ink-2 mt-6">
        Have an account?{' '}
        <Link href={other} className="text-accent-ink font-medium underline underline-offset-4">
          Log in
        </Link>
      </p>
    </>
  );
}
