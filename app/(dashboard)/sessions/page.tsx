import type { Metadata } from 'next';
import { getTranslations } from '@/app/messages';
import { requireUser } from '../require-user';
import { SessionsView } from './sessions-view';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('sessions.meta');
  return { title: t('sessions') };
}

export default async function SessionsPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  await requireUser('/sessions', searchParams);
  return <SessionsView />;
}
