import {
  CircleUser,
  Clock,
  KeyRound,
  Languages,
  MonitorSmartphone,
  ScrollText,
  ShieldCheck,
  TriangleAlert,
  Tv,
  type LucideIcon,
} from 'lucide-react';

/** The pages below /settings, in their order. */
export const settingsSections = [
  { section: 'account', icon: CircleUser },
  { section: 'password', icon: KeyRound },
  { section: 'two-step', icon: ShieldCheck },
  { section: 'devices', icon: MonitorSmartphone },
  { section: 'viewer-pages', icon: Tv },
  { section: 'language', icon: Languages },
  { section: 'time', icon: Clock },
  { section: 'audit-log', icon: ScrollText },
  { section: 'danger-zone', icon: TriangleAlert },
] as const satisfies readonly { section: string; icon: LucideIcon }[];

export type SettingsSection = (typeof settingsSections)[number]['section'];

export const settingsHref = (section: SettingsSection): string => `/settings/${section}`;
