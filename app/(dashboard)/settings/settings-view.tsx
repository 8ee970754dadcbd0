'use client';

import { PageHeader } from '@/components/ui/page-header';
import { AuditPanel } from '@/components/settings/audit-panel';
import { ChangePassword, Sessions } from '@/components/settings/password-panel';
import { DangerZone } from '@/components/settings/danger-zone';

export function SettingsView({ email }: { email: string }) {
  return (
    <>
      <PageHeader title="Settings" description={`Account ${email}`} />
      <div className="grid gap-6">
        <ChangePassword email={email} />
        <Sessions />
        <AuditPanel />
        <DangerZone email={email} />
      </div>
    </>
  );
}
