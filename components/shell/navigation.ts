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

/** Key of the label of a page or of a group of pages in the catalogue. The text `within` is no label. */
type LabelKey = Exclude<keyof Catalogue['shell']['navigation'], 'within'>;

export interface NavigationGroup {
  /** Heading of the group; absent for the first group. */
  group?: LabelKey;
  items: readonly NavigationItem[];
}

export interface NavigationItem {
  href: string;
  name: LabelKey;
  icon: LucideIcon;
  /** Second key of the shortcut that starts with "g"; unique. */
  key: string;
  /** Minimum role in the team; absent: every role. */
  role?: TeamRole;
  /** Path of the parent page. A page with a parent is not in the menu but in the links of the parent page. */
  parentHref?: string;
}

/** All pages of the menu and their sub-pages, in groups. */
export const navigation: readonly NavigationGroup[] = [
  {
    items: [
      { href: '/', name: 'home', icon: House, key: 'h' },
      { href: '/streams', name: 'streams', icon: Radio, key: 's' },
      { href: '/sessions', name: 'sessions', icon: SquarePlay, key: 'e' },
      { href: '/assets', name: 'assets', icon: Film, key: 'a' },
      { href: '/tasks', name: 'tasks', icon: ListChecks, key: 't', parentHref: '/assets' },
      { href: '/targets', name: 'targets', icon: Share2, key: 'm' },
      { href: '/audience', name: 'audience', icon: Users, key: 'p' },
      { href: '/usage', name: 'usage', icon: ChartColumn, key: 'u', parentHref: '/audience' },
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
        parentHref: '/developers/keys',
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

/** The menu of an operator, with the admin area. */
export const operatorNavigation: readonly NavigationGroup[] = [
  ...navigation,
  { group: 'service', items: [{ href: '/admin', name: 'admin', icon: ShieldCheck, key: 'o' }] },
];

/** Path of the menu page that is current on a page: the page itself or its parent; undefined on unknown pages. */
export function menuPageOf(groups: readonly NavigationGroup[], path: string): string | undefined {
  const item = groups.flatMap(({ items }) => items).find(({ href }) => isCurrent(href, path));
  return item?.parentHref ?? item?.href;
}

/** Pages that share a row of links: a menu page and its sub-pages. */
export function siblingsOf(groups: readonly NavigationGroup[], path: string): readonly NavigationItem[] {
  const menuPage = menuPageOf(groups, path);
  return groups
    .flatMap(({ items }) => items)
    .filter(({ href, parentHref }) => href === menuPage || parentHref === menuPage);
}

/** Whether `path` is the page `href` or a page below it. Only "/" itself is the home page. */
export function isCurrent(href: string, path: string): boolean {
  return href === '/' ? path === '/' : path === href || path.startsWith(`${href}/`);
}
