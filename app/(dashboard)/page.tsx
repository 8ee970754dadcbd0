import type { Metadata } from 'next';
import { listApiKeys } from '@/lib/api-keys';
import { apiKeysKey, streamListKey } from '@/lib/client/query-keys';
import { listStreams as endpoint } from '@/lib/contract/streams/stream-endpoints';
import { getSessionContext } from '@/lib/http/sessions/session-user';
import { listStreams } from '@/lib/streams';
import { KnownData } from './_data/known-data';
import { newestStreams } from './_data/newest-streams';
import { HomeView } from './home-view';
import { requireUser } from './require-user';

export const metadata: Metadata = { title: 'Home' };

export default async function HomePage() {
  await requireUser('/');
  const ctx = await getSessionContext();
  const [streams, keys] = ctx
    ? await Promise.all([listStreams(ctx, endpoint.query.parse(newestStreams)), listApiKeys(ctx)])
    : [null, null];
  return (
    <KnownData
      known={[
        [streamListKey(newestStreams), streams],
        [apiKeysKey, keys],
      ]}
    >
      <HomeView />
    </KnownData>
  );
}
