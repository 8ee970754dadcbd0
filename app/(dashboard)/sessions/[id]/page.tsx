import type { Metadata } from 'next';
import { oneSessionKey } from '@/lib/client/query-keys';
import { getSession } from '@/lib/sessions';
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
  return { title: session ? `Session of ${session.name}` : 'Session' };
}

export default async function SessionPage({ params }: SessionPageProps) {
  const { id } = await params;
  await requireUser(`/sessions/${id}`);
  return (
    <KnownData known={[[oneSessionKey(id), await readSession(id)]]}>
      <SessionView id={id} />
    </KnownData>
  );
}
