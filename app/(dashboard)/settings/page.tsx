import type { Metadata } from 'next';
import { AccountPanel } from '@/components/settings/account-panel';
import { requireUser } from '../require-user';

export const metadata: Metadata = { title: 'Settings' };

type SearchParams = Promise<Record<string, string | string[] | undefined>>;

/** On a phone only the list of sections, which the layout shows. */
export default async function SettingsPage({ searchParams }: { searchParams: SearchParams }) {
  const { email } = await requireUser('/settings', searchParams);
  return (
    <div className="max-lg:hidden">
      <AccountPanel email={email} />
    </div>
  );
}
