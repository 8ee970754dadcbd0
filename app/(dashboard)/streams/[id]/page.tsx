import type { Metadata } from 'next';
import { getTranslations } from '@/app/messages';
import { oneStreamKey, previewKey, streamViewersKey, testPatternKey } from '@/lib/client/query-keys';
import { viewerChartPeriods } from '@/components/streams/viewers/viewer-history';
import { getPreview, getStream, getTestPattern, getViewers } from '@/lib/domain/streams';
import { PrefetchedQueries } from '@/app/(dashboard)/_data/prefetched-queries';
import { createObjectReader } from '../../_data/create-object-reader';
import { requireUser } from '../../require-user';
import { StreamView } from './stream-view';

interface StreamPageProps {
  params: Promise<{ id: string }>;
}

const readStream = createObjectReader(getStream);
const readTestPattern = createObjectReader(getTestPattern);
const readPreview = createObjectReader(getPreview);
/** Period in minutes that the chart shows first; must match the client's first query, or the prefetched data is not used. */
const viewerChartMinutes = viewerChartPeriods[0].minutes;
const readViewers = createObjectReader((ctx, id) => getViewers(ctx, id, { minutes: viewerChartMinutes }));

export async function generateMetadata({ params }: StreamPageProps): Promise<Metadata> {
  const stream = await readStream((await params).id);
  const t = await getTranslations('streams.meta');
  return { title: stream?.name ?? t('stream') };
}

export default async function StreamPage({ params }: StreamPageProps) {
  const { id } = await params;
  await requireUser(`/streams/${id}`);
  const [stream, testPattern, preview, viewers] = await Promise.all([
    readStream(id),
    readTestPattern(id),
    readPreview(id),
    readViewers(id),
  ]);
  return (
    <PrefetchedQueries
      entries={[
        [oneStreamKey(id), stream],
        [testPatternKey(id), testPattern],
        [previewKey(id), preview],
        [streamViewersKey(id, viewerChartMinutes), viewers],
      ]}
    >
      <StreamView id={id} />
    </PrefetchedQueries>
  );
}
