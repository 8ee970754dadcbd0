import type { Metadata } from 'next';
import { requireUser } from '../require-user';
import { UsageView } from './usage-view';

export const metadata: Metadata = { title: 'Usage' };

type SearchParams = Promise<Record<string, string | string[] | undefined>>;

export default async function UsagePage({ searchParams }: { searchParams: SearchParams }) {
  await requireUser('/usage', searchParams);
  return <UsageView />;
}
