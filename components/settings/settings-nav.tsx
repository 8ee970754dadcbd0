'use client';

import { ChevronRight } from 'lucide-react';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { useTranslations } from 'use-intl';
import { useTeam } from '@/components/teams/use-team';
import { cn } from '@/components/ui/class-names';
import { BackLink } from '@/components/ui/page-header';
import { reaches } from '@/lib/core/access/team-roles';
import { settingsHref, settingsSections } from './settings-sections';

/** The sections: beside the one that is shown, or, on a phone, as a page of their own. */
export function SettingsNav() {
  const t = useTranslations('settings.settingsNav');
  const sections = useTranslations('settings.sections');
  const { role } = useTeam();
  const offered = settingsSections.filter((each) => !('role' in each) || reaches(role, each.role));
  const path = usePathname();
  const start = path === '/settings';
  // On a wide screen the first section is shown at /settings.
  const isCurrent = (href: string) => href === path || (start && href === settingsHref('account'));
  return (
    <>
      {!start && (
        <div className="-mb-3 lg:hidden">
          <BackLink href="/settings">{t('allSettings')}</BackLink>
        </div>
      )}
      <nav aria-label={t('settings')} className={cn('lg:sticky lg:top-20', !start && 'max-lg:hidden')}>
        <ul className="max-lg:bg-surface grid max-lg:divide-y max-lg:rounded-lg max-lg:border lg:gap-0.5">
          {offered.map(({ section, icon: Icon }) => {
            const href = settingsHref(section);
            return (
              <li key={section}>
                <Link
                  href={href}
                  {...(isCurrent(href) ? { 'aria-current': 'page' as const } : {})}
                  className="text-ink-2 hover:bg-hover hover:text-ink lg:aria-[current=page]:bg-accent-soft lg:aria-[current=page]:text-accent-ink flex min-h-12 items-center gap-3 px-4 font-medium transition-colors lg:min-h-9 lg:rounded-md lg:px-3"
                >
                  <Icon aria-hidden="true" className="size-4 shrink-0" strokeWidth={1.75} />
                  <span className="min-w-0 flex-1">{sections(section)}</span>
                  <ChevronRight aria-hidden="true" className="text-ink-3 size-4 shrink-0 lg:hidden" />
                </Link>
              </li>
            );
          })}
        </ul>
      </nav>
    </>
  );
}
