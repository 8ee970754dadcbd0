import type { ReactNode } from 'react';
import { PageHeader } from '@/components/ui/page-header';
import { SettingsNav } from '@/components/settings/settings-nav';
import { getSessionUser } from '@/lib/http/sessions/session-user';

export default async function SettingsLayout({ children }: { children: ReactNode }) {
  // A visitor is sent to the log-in by the page.
  if (!(await getSessionUser())) return children;
  return (
    <>
      <PageHeader title="Settings" />
      <div className="grid items-start gap-6 lg:grid-cols-[13rem_minmax(0,1fr)] lg:gap-8">
        <SettingsNav />
        <div className="min-w-0">{children}</div>
      </div>
    </>
  );
}
