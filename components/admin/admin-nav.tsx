'use client';

import { usePathname } from 'next/navigation';
import { useTranslations } from 'use-intl';
import { LinkTabs } from '@/components/ui/link-tabs';
import { adminHref, adminSections } from './admin-sections';

/** Navigation between the pages for operators. */
export function AdminNav() {
  const t = useTranslations('admin');
  const links = adminSections.map((section) => ({
    href: adminHref(section),
    label: t(`sections.${section}`),
  }));
  return <LinkTabs label={t('admin')} links={links} current={usePathname()} />;
}
