import type { Metadata } from 'next';
import Link from 'next/link';
import { getTranslations } from '@/app/messages';
import { sendsMail } from '@/lib/http/sessions/session-user';
import { ResetPasswordForm } from './reset-password';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('auth.reset'))('title') };
}

/**
 * Requests a reset link, or sets a new password with the token of a link. It is open to logged-in people, because they may
 * have forgotten their password too.
 */
export default async function ResetPasswordPage() {
  const t = await getTranslations('auth.reset');
  return (
    <>
      <ResetPasswordForm sendsMail={sendsMail()} />
      <p className="mt-6">
        <Link href="/login" className="text-accent-ink font-medium underline underline-offset-4">
          {t('back')}
        </Link>
      </p>
    </>
  );
}
