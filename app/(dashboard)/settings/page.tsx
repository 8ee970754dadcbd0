import type { Metadata } from 'next';
import { getTranslations } from '@/app/messages';
import { AccountPanel } from '@/components/settings/account-panel';
import { requireUser } from '../require-user';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('settings.settingsNav');
  return { title: t('settings') };
}

type SearchParams = Promise<Record<string, string | string[] | undefined>>;

/** On a phone this page is empty: the layout shows the list of sections. */
export default async function SettingsPage({ searchParams }: { searchParams: SearchParams }) {
  const { email } = await requireUser('/settings', searchParams);
  return (
    <div className="max-lg:hidden">
      <AccountPanel email={email} />
    </div>
  );
}
