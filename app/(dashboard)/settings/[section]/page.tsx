import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import type { ReactNode } from 'react';
import { AccountPanel } from '@/components/settings/account-panel';
import { AuditLog } from '@/components/settings/audit-log';
import { BrandPanel } from '@/components/settings/brand-panel';
import { DangerZone } from '@/components/settings/danger-zone';
import { ChangePassword, SignedInDevices } from '@/components/settings/password-panel';
import {
  type SettingsSection,
  settingsHref,
  settingsSections,
} from '@/components/settings/settings-sections';
import { TimePanel } from '@/components/settings/time-panel';
import { requireUser } from '../../require-user';

interface SectionProps {
  params: Promise<{ section: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

const views: Readonly<Record<SettingsSection, (account: { email: string }) => ReactNode>> = {
  account: AccountPanel,
  password: ChangePassword,
  devices: SignedInDevices,
  'viewer-pages': BrandPanel,
  time: TimePanel,
  'audit-log': AuditLog,
  'danger-zone': DangerZone,
};

const sectionOf = async ({ params }: SectionProps) => {
  const { section: wanted } = await params;
  return settingsSections.find(({ section }) => section === wanted);
};

export async function generateMetadata(props: SectionProps): Promise<Metadata> {
  const found = await sectionOf(props);
  return { title: found?.label ?? 'Settings' };
}

export default async function SettingsSectionPage(props: SectionProps) {
  const found = await sectionOf(props);
  if (!found) notFound();
  const { email } = await requireUser(settingsHref(found.section), props.searchParams);
  const View = views[found.section];
  return <View email={email} />;
}
