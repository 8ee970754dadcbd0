import type { Metadata } from 'next';
import { requireUser } from '../require-user';
import { SessionsView } from './sessions-view';

export const metadata: Metadata = { title: 'Sessions' };

export default async function SessionsPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  await requireUser('/sessions', searchParams);
  return <SessionsView />;
}
