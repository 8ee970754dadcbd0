import type { Metadata } from 'next';
import { getTranslations } from '@/app/words';
import { oneSessionKey } from '@/lib/client/query-keys';
import { getSession } from '@/lib/domain/sessions';
import { KnownData } from '../../_data/known-data';
import { readOne } from '../../_data/read-one';
import { requireUser } from '../../require-user';
import { SessionView } from './session-view';

interface SessionPageProps {
  params: Promise<{ id: string }>;
}

const readSession = readOne(getSession);

export async function generateMetadata({ params }: SessionPageProps): Promise<Metadata> {
  const session = await readSession((await params).id);
  const t = await getTranslations('sessions.meta');
  return { title: session ? t('sessionOf', { name: session.name }) : t('session') };
}

export default async function SessionPage({ params }: SessionPageProps) {
  const { id } = await params;
  await requireUser(`/sessions/${id}`);
  return (
    <KnownData entries={[[oneSessionKey(id), await readSession(id)]]}>
      <SessionView id={id} />
    </KnownData>
  );
}
