import type { Metadata } from 'next';
import { requireUser } from '../../require-user';
import { AssetView } from './asset-view';

export const metadata: Metadata = { title: 'Asset' };

export default async function AssetPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  await requireUser(`/assets/${id}`);
  return <AssetView id={id} />;
}
