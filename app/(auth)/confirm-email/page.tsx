import type { Metadata } from 'next';
import { getTranslations } from '@/app/messages';
import { ConfirmEmail } from './confirm-email';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('auth.confirm'))('title') };
}

/** Where a link to a new email address leads. Programs that look into mails open it, so it takes a click. */
export default function ConfirmEmailPage() {
  return <ConfirmEmail />;
}
