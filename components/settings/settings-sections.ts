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

/** The pages below /settings, in their order. `role`: the least one in the team. */
export const settingsSections = [
  { section: 'account', icon: CircleUser },
  { section: 'password', icon: KeyRound },
  { section: 'two-step', icon: ShieldCheck },
  { section: 'devices', icon: MonitorSmartphone },
  { section: 'team', icon: Users },
  { section: 'viewer-pages', icon: Tv, role: 'admin' },
  { section: 'language', icon: Languages },
  { section: 'time', icon: Clock },
  { section: 'audit-log', icon: ScrollText, role: 'admin' },
  { section: 'danger-zone', icon: TriangleAlert },
] as const satisfies readonly { section: string; icon: LucideIcon; role?: TeamRole }[];

export type SettingsSection = (typeof settingsSections)[number]['section'];

export const settingsHref = (section: SettingsSection): string => `/settings/${section}`;
