import type { Metadata } from 'next';
import { requireUser } from '../../require-user';
import { StreamView } from './stream-view';

export const metadata: Metadata = { title: 'Stream' };

export default async function StreamPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  await requireUser(`/streams/${id}`);
  return <StreamView id={id} />;
}
