import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { getTranslations } from '@/app/words';
import { nodesKey } from '@/lib/client/query-keys';
import { getSessionContext } from '@/lib/http/sessions/session-user';
import { listNodes } from '@/lib/nodes';
import { KnownData } from '../_data/known-data';
import { requireUser } from '../require-user';
import { NodesView } from './nodes-view';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('nodes');
  return { title: t('title') };
}

/** For operators; others learn of no such page. */
export default async function NodesPage() {
  const { operator } = await requireUser('/nodes');
  const ctx = operator ? await getSessionContext() : null;
  if (!ctx) notFound();
  return (
    <KnownData known={[[nodesKey, await listNodes(ctx)]]}>
      <NodesView />
    </KnownData>
  );
}
