import {
  BookOpen,
  ChartColumn,
  FileKey,
  Film,
  House,
  KeyRound,
  ListChecks,
  Radio,
  Settings,
  Share2,
  ShieldCheck,
  SquarePlay,
  Webhook,
  type LucideIcon,
} from 'lucide-react';
import type { TeamRole } from '@/lib/core/access/team-roles';
import type { Catalogue } from '@/messages/catalogue';

/** A page or a group of pages; its words are in the catalogue. */
type Name = keyof Catalogue['shell']['navigation'];

export interface NavigationGroup {
  group?: Name;
  items: readonly NavigationItem[];
}

interface NavigationItem {
  href: string;
  name: Name;
  icon: LucideIcon;
  /** "g" and then this key goes there; unique. */
  key: string;
  /** The least role in the team; left out: all. */
  role?: TeamRole;
}

/** Every page that can be gone to from anywhere, in groups. */
export const navigation: readonly NavigationGroup[] = [
  {
    items: [
      { href: '/', name: 'home', icon: House, key: 'h' },
      { href: '/streams', name: 'streams', icon: Radio, key: 's' },
      { href: '/sessions', name: 'sessions', icon: SquarePlay, key: 'e' },
      { href: '/assets', name: 'assets', icon: Film, key: 'a' },
      { href: '/tasks', name: 'tasks', icon: ListChecks, key: 't' },
      { href: '/targets', name: 'targets', icon: Share2, key: 'm' },
    ],
  },
  {
    group: 'developers',
    items: [
      { href: '/developers/keys', name: 'keys', icon: KeyRound, key: 'k', role: 'developer' },
      { href: '/developers/signing-keys', name: 'signingKeys', icon: FileKey, key: 'i', role: 'developer' },
      { href: '/developers/webhooks', name: 'webhooks', icon: Webhook, key: 'w' },
      { href: '/docs', name: 'docs', icon: BookOpen, key: 'd' },
    ],
  },
  {
    group: 'account',
    items: [
      { href: '/usage', name: 'usage', icon: ChartColumn, key: 'u' },
      { href: '/settings', name: 'settings', icon: Settings, key: ',' },
    ],
  },
];

/** The same for operators. */
export const operatorNavigation: readonly NavigationGroup[] = [
  ...navigation,
  { group: 'service', items: [{ href: '/admin', name: 'admin', icon: ShieldCheck, key: 'o' }] },
];

/** True on the page itself and on the pages below it. */
export function isCurrent(href: string, path: string): boolean {
  return href === '/' ? path === '/' : path === href || path.startsWith(`${href}/`);
}
