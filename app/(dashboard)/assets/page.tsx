import type { Metadata } from 'next';
import { getTranslations } from '@/app/messages';
import { requireUser } from '../require-user';
import { AssetsView } from './assets-view';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('assets.assetsView');
  return { title: t('assets') };
}

export default async function AssetsPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  await requireUser('/assets', searchParams);
  return <AssetsView />;
}
