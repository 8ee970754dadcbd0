import type { Metadata } from 'next';
import { requireUser } from '../require-user';
import { AssetsView } from './assets-view';

export const metadata: Metadata = { title: 'Assets' };

export default async function AssetsPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  await requireUser('/assets', searchParams);
  return <AssetsView />;
}
