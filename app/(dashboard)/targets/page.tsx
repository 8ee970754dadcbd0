import type { Metadata } from 'next';
import { getTranslations } from '@/app/messages';
import { requireUser } from '../require-user';
import { TargetsView } from './targets-view';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('targets.meta');
  return { title: t('targets') };
}

export default async function TargetsPage() {
  await requireUser('/targets');
  return <TargetsView />;
}
