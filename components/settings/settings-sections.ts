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
  Users,
  type LucideIcon,
} from 'lucide-react';
import type { TeamRole } from '@/lib/core/access/team-roles';

/** The pages below /settings in their order. `role`: lowest role in the team that may open the page. */
export const settingsSections = [
  { section: 'account', group: 'account', icon: CircleUser },
  { section: 'language', group: 'account', icon: Languages },
  { section: 'time', group: 'account', icon: Clock },
  { section: 'password', group: 'security', icon: KeyRound },
  { section: 'two-step', group: 'security', icon: ShieldCheck },
  { section: 'devices', group: 'security', icon: MonitorSmartphone },
  { section: 'team', group: 'team', icon: Users },
  { section: 'audit-log', group: 'team', icon: ScrollText, role: 'admin' },
  { section: 'viewer-pages', group: 'team', icon: Tv, role: 'admin' },
  { section: 'danger-zone', group: 'danger', icon: TriangleAlert },
] as const satisfies readonly { section: string; group: string; icon: LucideIcon; role?: TeamRole }[];

/** The groups of the sections, in their order. */
export const settingsGroups = ['account', 'security', 'team', 'danger'] as const;

export type SettingsSection = (typeof settingsSections)[number]['section'];

export const settingsHref = (section: SettingsSection): string => `/settings/${section}`;
