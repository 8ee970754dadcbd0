import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import type { ReactNode } from 'react';
import { AccountPanel } from '@/components/settings/account-panel';
import { AuditLog } from '@/components/settings/audit-log';
import { BrandPanel } from '@/components/settings/brand-panel';
import { DangerZonePanel } from '@/components/settings/danger-zone';
import { ChangePasswordPanel } from '@/components/settings/password-panel';
import { SignedInDevicesPanel } from '@/components/settings/signed-in-devices';
import {
  type SettingsSection,
  settingsHref,
  settingsSections,
} from '@/components/settings/settings-sections';
import { languageNames } from '@/messages';
import { LanguagePanel } from '@/components/settings/language-panel';
import { TimePanel } from '@/components/settings/time-panel';
import { TeamPanel } from '@/components/teams/team-panel';
import { TwoStepLoginPanels } from '@/components/settings/two-step/two-step-login';
import { requestLanguages } from '@/app/language';
import { getTranslations } from '@/app/messages';
import { requireUser } from '../../require-user';

interface SectionProps {
  params: Promise<{ section: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** Content of each page of the settings. */
const views: Readonly<
  Record<
    SettingsSection,
    (account: { email: string; mustSetUpFactor: boolean }) => ReactNode | Promise<ReactNode>
  >
> = {
  account: AccountPanel,
  password: ChangePasswordPanel,
  'two-step': TwoStepLoginPanels,
  devices: SignedInDevicesPanel,
  team: TeamPanel,
  'viewer-pages': BrandPanel,
  language: LanguageSection,
  time: TimePanel,
  'audit-log': AuditLog,
  'danger-zone': DangerZonePanel,
};

async function LanguageSection() {
  return <LanguagePanel {...await requestLanguages()} languages={languageNames} />;
}

const findSection = async ({ params }: SectionProps) => {
  const { section: sectionName } = await params;
  return settingsSections.find(({ section }) => section === sectionName);
};

export async function generateMetadata(props: SectionProps): Promise<Metadata> {
  const section = await findSection(props);
  const t = await getTranslations('settings');
  return { title: section ? t(`sections.${section.section}`) : t('settingsNav.settings') };
}

export default async function SettingsSectionPage(props: SectionProps) {
  const section = await findSection(props);
  if (!section) notFound();
  const { email, mustSetUpFactor } = await requireUser(settingsHref(section.section), props.searchParams);
  const View = views[section.section];
  return <View email={email} mustSetUpFactor={mustSetUpFactor} />;
}
