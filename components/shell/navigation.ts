import {
  BookOpen,
  ChartColumn,
  Film,
  House,
  KeyRound,
  ListChecks,
  Radio,
  Settings,
  Share2,
  SquarePlay,
  Webhook,
  type LucideIcon,
} from 'lucide-react';

interface NavigationItem {
  href: string;
  label: string;
  icon: LucideIcon;
  /** "g" and then this key goes there; unique. */
  key: string;
}

/** Every page that can be gone to from anywhere, in groups. */
export const navigation: readonly { title?: string; items: readonly NavigationItem[] }[] = [
  {
    items: [
      { href: '/', label: 'Home', icon: House, key: 'h' },
      { href: '/streams', label: 'Streams', icon: Radio, key: 's' },
      { href: '/sessions', label: 'Sessions', icon: SquarePlay, key: 'e' },
      { href: '/assets', label: 'Assets', icon: Film, key: 'a' },
      { href: '/tasks', label: 'Tasks', icon: ListChecks, key: 't' },
      { href: '/targets', label: 'Targets', icon: Share2, key: 'm' },
    ],
  },
  {
    title: 'Developers',
    items: [
      { href: '/developers/keys', label: 'API keys', icon: KeyRound, key: 'k' },
      { href: '/developers/webhooks', label: 'Webhooks', icon: Webhook, key: 'w' },
      { href: '/docs', label: 'API reference', icon: BookOpen, key: 'd' },
    ],
  },
  {
    title: 'Account',
    items: [
      { href: '/usage', label: 'Usage', icon: ChartColumn, key: 'u' },
      { href: '/settings', label: 'Settings', icon: Settings, key: ',' },
    ],
  },
];

/** True on the page itself and on the pages below it. */
export function isCurrent(href: string, path: string): boolean {
  return href === '/' ? path === '/' : path === href || path.startsWith(`${href}/`);
}
