import {
  CircleUser,
  Clock,
  KeyRound,
  MonitorSmartphone,
  ScrollText,
  TriangleAlert,
  Tv,
  type LucideIcon,
} from 'lucide-react';

/** The pages below /settings, in their order. */
export const settingsSections = [
  { section: 'account', label: 'Account', icon: CircleUser },
  { section: 'password', label: 'Password', icon: KeyRound },
  { section: 'devices', label: 'Signed-in devices', icon: MonitorSmartphone },
  { section: 'viewer-pages', label: 'Viewer pages', icon: Tv },
  { section: 'time', label: 'Time', icon: Clock },
  { section: 'audit-log', label: 'Audit log', icon: ScrollText },
  { section: 'danger-zone', label: 'Danger zone', icon: TriangleAlert },
] as const satisfies readonly { section: string; label: string; icon: LucideIcon }[];

export type SettingsSection = (typeof settingsSections)[number]['section'];

export const settingsHref = (section: SettingsSection): string => `/settings/${section}`;
