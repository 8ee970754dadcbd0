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
  Users,
  Webhook,
  type LucideIcon,
} from 'lucide-react';
import type { TeamRole } from '@/lib/core/access/team-roles';
import type { Catalogue } from '@/messages/catalogue';

/** A page or a group of pages; its words are in the catalogue. */
type Name = Exclude<keyof Catalogue['shell']['navigation'], 'within'>;

export interface NavigationGroup {
  group?: Name;
  items: readonly NavigationItem[];
}

export interface NavigationItem {
  href: string;
  name: Name;
  icon: LucideIcon;
  /** "g" and then this key goes there; unique. */
  key: string;
  /** The least role in the team; left out: all. */
  role?: TeamRole;
  /** Address of the page that it is a part of: it is not in the menu, but in a row of links on both pages. */
  within?: string;
}

/** Every page that can be gone to from anywhere, in groups. */
export const navigation: readonly NavigationGroup[] = [
  {
    items: [
      { href: '/', name: 'home', icon: House, key: 'h' },
      { href: '/streams', name: 'streams', icon: Radio, key: 's' },
      { href: '/sessions', name: 'sessions', icon: SquarePlay, key: 'e' },
      { href: '/assets', name: 'assets', icon: Film, key: 'a' },
      { href: '/tasks', name: 'tasks', icon: ListChecks, key: 't', within: '/assets' },
      { href: '/targets', name: 'targets', icon: Share2, key: 'm' },
      { href: '/audience', name: 'audience', icon: Users, key: 'p' },
      { href: '/usage', name: 'usage', icon: ChartColumn, key: 'u', within: '/audience' },
    ],
  },
  {
    group: 'developers',
    items: [
      { href: '/developers/keys', name: 'keys', icon: KeyRound, key: 'k', role: 'developer' },
      {
        href: '/developers/signing-keys',
        name: 'signingKeys',
        icon: FileKey,
        key: 'i',
        role: 'developer',
        within: '/developers/keys',
      },
      { href: '/developers/webhooks', name: 'webhooks', icon: Webhook, key: 'w' },
      { href: '/docs', name: 'docs', icon: BookOpen, key: 'd' },
    ],
  },
  {
    group: 'account',
    items: [{ href: '/settings', name: 'settings', icon: Settings, key: ',' }],
  },
];

/** Navigation for operators. */
export const operatorNavigation: readonly NavigationGroup[] = [
  ...navigation,
  { group: 'service', items: [{ href: '/admin', name: 'admin', icon: ShieldCheck, key: 'o' }] },
];

/** The page of the menu that is current on this path. */
export function menuPageOf(groups: readonly NavigationGroup[], path: string): string | undefined {
  const item = groups.flatMap(({ items }) => items).find(({ href }) => isCurrent(href, path));
  return item?.within ?? item?.href;
}

/** The pages that share a row of links: one of the menu, and those within it. */
export function siblingsOf(groups: readonly NavigationGroup[], path: string): readonly NavigationItem[] {
  const page = menuPageOf(groups, path);
  return groups.flatMap(({ items }) => items).filter(({ href, within }) => href === page || within === page);
}

/** True on the page itself and on the pages below it. */
export function isCurrent(href: string, path: string): boolean {
  return href === '/' ? path === '/' : path === href || path.startsWith(`${href}/`);
}
