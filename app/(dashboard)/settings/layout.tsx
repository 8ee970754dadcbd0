import type { ReactNode } from 'react';
import { getTranslations } from '@/app/messages';
import { PageHeader } from '@/components/ui/page-header';
import { SettingsNav } from '@/components/settings/settings-nav';
import { getSessionUser } from '@/lib/http/sessions/session-user';
import { version } from '@/lib/infra/version';

export default async function SettingsLayout({ children }: { children: ReactNode }) {
  // The page redirects visitors to the sign-in page.
  if (!(await getSessionUser())) return children;
  const t = await getTranslations('settings.settingsNav');
  return (
    <>
      <PageHeader title={t('settings')} />
      <div className="grid items-start gap-6 lg:grid-cols-[13rem_minmax(0,1fr)] lg:gap-8">
        <SettingsNav />
        <div className="min-w-0">{children}</div>
      </div>
      <p className="text-ink-3 mt-8 text-xs">{t('version', { version })}</p>
    </>
  );
}
