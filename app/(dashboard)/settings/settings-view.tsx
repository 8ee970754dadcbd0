'use client';

import { PageHeader } from '@/components/ui/page-header';
import { AuditPanel } from '@/components/settings/audit-panel';
import { BrandPanel } from '@/components/settings/brand-panel';
import { ChangePassword, SignedInDevices } from '@/components/settings/password-panel';
import { DangerZone } from '@/components/settings/danger-zone';

export function SettingsView({ email }: { email: string }) {
  return (
    <>
      <PageHeader title="Settings" description={`Account ${email}`} />
      <div className="grid gap-6">
        <ChangePassword email={email} />
        <SignedInDevices />
        <BrandPanel />
        <AuditPanel />
        <DangerZone email={email} />
      </div>
    </>
  );
}
