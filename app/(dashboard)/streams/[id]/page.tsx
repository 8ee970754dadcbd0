import type { Metadata } from 'next';
import { getTranslations } from '@/app/messages';
import { oneStreamKey, previewKey, streamViewersKey, testPatternKey } from '@/lib/client/query-keys';
import { viewerSpans } from '@/components/streams/viewers/viewer-history';
import { getPreview, getStream, getTestPattern, getViewers } from '@/lib/domain/streams';
import { CachedQueries } from '@/app/(dashboard)/_data/cached-queries';
import { createObjectReader } from '../../_data/read-one';
import { requireUser } from '../../require-user';
import { StreamView } from './stream-view';

interface StreamPageProps {
  params: Promise<{ id: string }>;
}

const readStream = createObjectReader(getStream);
const readTestPattern = createObjectReader(getTestPattern);
const readPreview = createObjectReader(getPreview);
/** The period that the viewer chart shows first. */
const viewerChartMinutes = viewerSpans[0].value;
const readViewers = createObjectReader((ctx, id) => getViewers(ctx, id, { minutes: viewerChartMinutes }));

export async function generateMetadata({ params }: StreamPageProps): Promise<Metadata> {
  const stream = await readStream((await params).id);
  const t = await getTranslations('streams.meta');
  return { title: stream?.name ?? t('stream') };
}

export default async function StreamPage({ params }: StreamPageProps) {
  const { id } = await params;
  await requireUser(`/streams/${id}`);
  const initialData = await Promise.all([
    readStream(id),
    readTestPattern(id),
    readPreview(id),
    readViewers(id),
  ]);
  const keys = [
    oneStreamKey(id),
    testPatternKey(id),
    previewKey(id),
    streamViewersKey(id, viewerChartMinutes),
  ] as const;
  return (
    <CachedQueries entries={keys.map((key, index) => [key, initialData[index]] as const)}>
      <StreamView id={id} />
    </CachedQueries>
  );
}
