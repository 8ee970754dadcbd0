import type { Metadata } from 'next';
import { oneStreamKey } from '@/lib/client/query-keys';
import { getStream } from '@/lib/streams';
import { KnownData } from '../../_data/known-data';
import { readOne } from '../../_data/read-one';
import { requireUser } from '../../require-user';
import { StreamView } from './stream-view';

interface StreamPageProps {
  params: Promise<{ id: string }>;
}

const readStream = readOne(getStream);

export async function generateMetadata({ params }: StreamPageProps): Promise<Metadata> {
  const stream = await readStream((await params).id);
  return { title: stream?.name ?? 'Stream' };
}

export default async function StreamPage({ params }: StreamPageProps) {
  const { id } = await params;
  await requireUser(`/streams/${id}`);
  return (
    <KnownData known={[[oneStreamKey(id), await readStream(id)]]}>
      <StreamView id={id} />
    </KnownData>
  );
}
