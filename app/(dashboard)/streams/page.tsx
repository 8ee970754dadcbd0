import type { Metadata } from 'next';
import { requireUser } from '../require-user';
import { StreamsView } from './streams-view';

export const metadata: Metadata = { title: 'Streams' };

export default async function StreamsPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  await requireUser('/streams', searchParams);
  return <StreamsView />;
}
