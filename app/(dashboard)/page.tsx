import type { Metadata } from 'next';
import { getTranslations } from '@/app/messages';
import { listAssets } from '@/lib/domain/assets';
import { listAssets as assetsEndpoint } from '@/lib/contract/assets/asset-endpoints';
import { getOverview } from '@/lib/domain/overview';
import { assetListKey, overviewKey, streamListKey } from '@/lib/client/query-keys';
import { listStreams as streamsEndpoint } from '@/lib/contract/streams/stream-endpoints';
import { getSessionContext } from '@/lib/http/sessions/session-user';
import { listStreams } from '@/lib/domain/streams';
import { PrefetchedQueries } from './_data/prefetched-queries';
import { newestAssetsQuery, newestStreamQuery } from './_data/newest';
import { HomeView } from './home-view';
import { requireUser } from './require-user';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('home.homeView');
  return { title: t('home') };
}

export default async function HomePage() {
  await requireUser('/');
  const ctx = await getSessionContext();
  const [overview, streams, assets] = ctx
    ? await Promise.all([
        getOverview(ctx),
        listStreams(ctx, streamsEndpoint.query.parse(newestStreamQuery)),
        listAssets(ctx, assetsEndpoint.query.parse(newestAssetsQuery)),
      ])
    : [null, null, null];
  return (
    <PrefetchedQueries
      entries={[
        [overviewKey, overview],
        [streamListKey(newestStreamQuery), streams],
        [assetListKey(newestAssetsQuery), assets],
      ]}
    >
      <HomeView />
    </PrefetchedQueries>
  );
}
