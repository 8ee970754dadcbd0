import type { Metadata } from 'next';
import { getTranslations } from '@/app/messages';
import { oneSessionKey } from '@/lib/client/query-keys';
import { getSession } from '@/lib/domain/sessions';
import { PrefetchedQueries } from '@/app/(dashboard)/_data/prefetched-queries';
import { createObjectReader } from '../../_data/create-object-reader';
import { requireUser } from '../../require-user';
import { SessionView } from './session-view';

interface SessionPageProps {
  params: Promise<{ id: string }>;
}

const readSession = createObjectReader(getSession);

export async function generateMetadata({ params }: SessionPageProps): Promise<Metadata> {
  const session = await readSession((await params).id);
  const t = await getTranslations('sessions.meta');
  return { title: session ? t('sessionOf', { name: session.name }) : t('session') };
}

export default async function SessionPage({ params }: SessionPageProps) {
  const { id } = await params;
  await requireUser(`/sessions/${id}`);
  return (
    <PrefetchedQueries entries={[[oneSessionKey(id), await readSession(id)]]}>
      <SessionView id={id} />
    </PrefetchedQueries>
  );
}
