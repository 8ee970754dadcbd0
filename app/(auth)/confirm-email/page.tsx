import type { Metadata } from 'next';
import { getTranslations } from '@/app/messages';
import { ConfirmEmailForm } from './confirm-email';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('auth.confirm'))('title') };
}

/** The link to a new email address leads here. Mail scanners open links, so confirming takes a click. */
export default function ConfirmEmailPage() {
  return <ConfirmEmailForm />;
}
