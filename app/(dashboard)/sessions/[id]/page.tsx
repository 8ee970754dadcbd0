import type { Metadata } from 'next';
import { requireUser } from '../../require-user';
import { SessionView } from './session-view';

export const metadata: Metadata = { title: 'Session' };

export default async function SessionPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  await requireUser(`/sessions/${id}`);
  return <SessionView id={id} />;
}
