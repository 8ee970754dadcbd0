import type { Metadata } from 'next';
import { getTranslations } from '@/app/messages';
import { requireUser } from '../../require-user';
import { KeysView } from './keys-view';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('keys.meta');
  return { title: t('apiKeys') };
}

export default async function KeysPage() {
  const { email } = await requireUser('/developers/keys');
  return <KeysView email={email} />;
}
