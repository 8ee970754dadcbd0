import type { Metadata } from 'next';
import { getTranslations } from '@/app/messages';
import { requireUser } from '../require-user';
import { AudienceView } from './audience-view';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('audience.page');
  return { title: t('audience') };
}

export default async function AudiencePage() {
  await requireUser('/audience');
  return <AudienceView />;
}
