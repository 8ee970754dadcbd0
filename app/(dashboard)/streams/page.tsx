import type { Metadata } from 'next';
import { getTranslations } from '@/app/messages';
import { requireUser } from '../require-user';
import { StreamsView } from './streams-view';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('streams.meta');
  return { title: t('streams') };
}

export default async function StreamsPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  await requireUser('/streams', searchParams);
  return <StreamsView />;
}
