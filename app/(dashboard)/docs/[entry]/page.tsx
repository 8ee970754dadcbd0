import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { PreviousNextLinks } from '@/components/docs/previous-next-links';
import { EventView, OperationView } from '@/components/docs/operation-view';
import { readReference } from '../read-reference';

interface EntryPageProps {
  params: Promise<{ entry: string }>;
}

/** Finds an operation or a webhook event by its id. */
async function findEntry({ params }: EntryPageProps) {
  const { entry: id } = await params;
  const { entries, baseUrl } = await readReference();
  return { entries, baseUrl, entry: entries.find((entry) => entry.id === id) ?? notFound() };
}

export async function generateMetadata(props: EntryPageProps): Promise<Metadata> {
  const { entry } = await findEntry(props);
  return { title: `${entry.title} · API reference` };
}

export default async function EntryPage(props: EntryPageProps) {
  const { entries, baseUrl, entry } = await findEntry(props);
  return (
    <>
      {entry.kind === 'operation' ? (
        <OperationView operation={entry} baseUrl={baseUrl} />
      ) : (
        <EventView event={entry} />
      )}
      <PreviousNextLinks entries={entries} id={entry.id} />
    </>
  );
}
