import type { Metadata } from 'next';
import { getTranslations } from '@/app/messages';
import { requireUser } from '../../require-user';
import { SigningKeysView } from './signing-keys-view';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('access.meta');
  return { title: t('signingKeys') };
}

export default async function SigningKeysPage() {
  await requireUser('/developers/signing-keys');
  return <SigningKeysView />;
}
