'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { useTranslations } from 'use-intl';
import { cn } from '@/components/ui/class-names';
import { menuPageOf } from './navigation';
import { useNavigation } from './use-navigation';

/**
 * The menu of the dashboard.
 * @param onNavigate called when a link is clicked, for example to close the drawer
 */
export function NavLinks({ onNavigate }: { onNavigate?: () => void }) {
  const t = useTranslations('shell.navigation');
  const groups = useNavigation();
  const currentPage = menuPageOf(groups, usePathname());
  return (
    <nav aria-label={t('label')} className="grid gap-6">
      {groups.map(({ group, items }, index) => (
        <div key={index}>
          {group && <h2 className="text-ink-3 mb-1 px-3 text-xs font-medium">{t(group)}</h2>}
          <ul className="grid gap-0.5">
            {items.map(({ href, name, icon: Icon, parentHref }) => {
              if (parentHref !== undefined) return null;
              const isCurrentPage = href === currentPage;
              return (
                <li key={href}>
                  <Link
                    href={href}
                    {...(onNavigate ? { onClick: onNavigate } : {})}
                    aria-current={isCurrentPage ? 'page' : undefined}
                    className={cn(
                      'text-ink-2 hover:bg-hover hover:text-ink flex h-9 items-center gap-3 rounded-md px-3 font-medium transition-colors',
                      isCurrentPage &&
                        'bg-accent-soft text-accent-ink hover:bg-accent-soft hover:text-accent-ink',
                    )}
                  >
                    <Icon aria-hidden="true" className="size-4" strokeWidth={1.75} />
                    {t(name)}
                  </Link>
                </li>
              );
            })}
          </ul>
        </div>
      ))}
    </nav>
  );
}
