'use client';

import { usePathname } from 'next/navigation';
import { useTranslations } from 'use-intl';
import { LinkTabs } from '@/components/ui/link-tabs';
import { siblingsOf } from './navigation';
import { useNavigation } from './use-navigation';

/** Navigation between a menu page and its sub-pages. */
export function SiblingNav() {
  const t = useTranslations('shell.navigation');
  const path = usePathname();
  const siblings = siblingsOf(useNavigation(), path);
  const [menuPage] = siblings;
  if (!menuPage || siblings.length === 1) return null;
  const links = siblings.map(({ href, name }) => ({ href, label: t(name) }));
  return <LinkTabs label={t('within', { page: t(menuPage.name) })} links={links} current={path} />;
}
