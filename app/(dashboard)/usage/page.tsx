import type { Metadata } from 'next';
import { getTranslations } from '@/app/messages';
import { requireUser } from '../require-user';
import { UsageView } from './usage-view';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('usage.usageView');
  return { title: t('usage') };
}

type SearchParams = Promise<Record<string, string | string[] | undefined>>;

export default async function UsagePage({ searchParams }: { searchParams: SearchParams }) {
  await requireUser('/usage', searchParams);
  return <UsageView />;
}
