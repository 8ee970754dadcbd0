'use client';

import { PageHeader } from '@/components/ui/page-header';
import { AuditPanel } from './audit-panel';
import { ChangePassword } from './change-password';
import { DangerZone } from './danger-zone';
import { Sessions } from './sessions';

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
