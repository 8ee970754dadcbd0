import type { Metadata } from 'next';
import { requireUser } from '../require-user';
import { SettingsView } from './settings-view';

export const metadata: Metadata = { title: 'Settings' };

type SearchParams = Promise<Record<string, string | string[] | undefined>>;

export default async function SettingsPage({ searchParams }: { searchParams: SearchParams }) {
  const { email } = await requireUser('/settings', searchParams);
  return <SettingsView email={email} />;
}
