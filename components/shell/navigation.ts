import { BookOpen, House, KeyRound, Radio, Share2, Webhook, type LucideIcon } from 'lucide-react';

interface NavigationItem {
  href: string;
  label: string;
  icon: LucideIcon;
}

/** Every page that can be gone to from anywhere, in groups. */
export const navigation: readonly { title?: string; items: readonly NavigationItem[] }[] = [
  {
    items: [
      { href: '/', label: 'Home', icon: House },
      { href: '/streams', label: 'Streams', icon: Radio },
      { href: '/targets', label: 'Targets', icon: Share2 },
    ],
  },
  {
    title: 'Developers',
    items: [
      { href: '/developers/keys', label: 'API keys', icon: KeyRound },
      { href: '/developers/webhooks', label: 'Webhooks', icon: Webhook },
      { href: '/docs', label: 'API reference', icon: BookOpen },
    ],
  },
];

/** True on the page itself and on the pages below it. */
export function isCurrent(href: string, path: string): boolean {
  return href === '/' ? path === '/' : path === href || path.startsWith(`${href}/`);
}
