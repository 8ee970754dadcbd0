import type { Metadata } from 'next';
import { PrefetchedQueries } from '@/app/(dashboard)/_data/prefetched-queries';
import { createObjectReader } from '@/app/(dashboard)/_data/create-object-reader';
import { requireUser } from '@/app/(dashboard)/require-user';
import { getTranslations, AreaMessagesProvider } from '@/app/messages';
import { oneStreamKey } from '@/lib/client/query-keys';
import { getStream } from '@/lib/domain/streams';
import type { Area } from '@/messages/catalogue';
import { GoLiveView } from './go-live-view';

interface GoLivePageProps {
  params: Promise<{ id: string }>;
}

const areas: readonly Area[] = ['goLive', 'reasons', 'streams', 'ui'];

const readStream = createObjectReader(getStream);

export async function generateMetadata({ params }: GoLivePageProps): Promise<Metadata> {
  const stream = await readStream((await params).id);
  const t = await getTranslations('goLive');
  return { title: stream ? t('page.title', { name: stream.name }) : t('meta.title') };
}

export default async function GoLivePage({ params }: GoLivePageProps) {
  const { id } = await params;
  await requireUser(`/streams/${id}/go-live`);
  return (
    <PrefetchedQueries entries={[[oneStreamKey(id), await readStream(id)]]}>
      <AreaMessagesProvider areas={areas}>
        <GoLiveView id={id} />
      </AreaMessagesProvider>
    </PrefetchedQueries>
  );
}
