import type { Metadata } from 'next';
import { requireUser } from '../require-user';
import { TargetsView } from './targets-view';

export const metadata: Metadata = { title: 'Targets' };

export default async function TargetsPage() {
  await requireUser('/targets');
  return <TargetsView />;
}
