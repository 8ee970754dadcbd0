import type { Metadata } from 'next';
import { getTranslations } from '@/app/messages';
import { getAsset, getAssetPreview } from '@/lib/domain/assets';
import { oneAssetKey, previewKey } from '@/lib/client/query-keys';
import { PrefetchedQueries } from '@/app/(dashboard)/_data/prefetched-queries';
import { createObjectReader } from '../../_data/create-object-reader';
import { requireUser } from '../../require-user';
import { AssetView } from './asset-view';

interface AssetPageProps {
  params: Promise<{ id: string }>;
}

const readAsset = createObjectReader(getAsset);
const readPreview = createObjectReader(getAssetPreview);

export async function generateMetadata({ params }: AssetPageProps): Promise<Metadata> {
  const asset = await readAsset((await params).id);
  if (asset) return { title: asset.name };
  const t = await getTranslations('assets.assetContent');
  return { title: t('title') };
}

export default async function AssetPage({ params }: AssetPageProps) {
  const { id } = await params;
  await requireUser(`/assets/${id}`);
  const [asset, preview] = await Promise.all([readAsset(id), readPreview(id)]);
  return (
    <PrefetchedQueries
      entries={[
        [oneAssetKey(id), asset],
        [previewKey(id), preview],
      ]}
    >
      <AssetView id={id} />
    </PrefetchedQueries>
  );
}
