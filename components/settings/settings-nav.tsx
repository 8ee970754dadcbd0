'use client';

import { ChevronRight, type LucideIcon } from 'lucide-react';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { useTranslations } from 'use-intl';
import { useTeam } from '@/components/teams/use-team';
import { cn } from '@/components/ui/class-names';
import { BackLink } from '@/components/ui/page-header';
import { isAtLeast } from '@/lib/core/access/team-roles';
import { settingsGroups, settingsHref, type SettingsSection, settingsSections } from './settings-sections';

/** Navigation between settings: beside the current section, or, on a phone, on a page of its own. */
export function SettingsNav() {
  const t = useTranslations('settings.settingsNav');
  const { role } = useTeam();
  const offeredSections = settingsSections.filter(
    (section) => !('role' in section) || isAtLeast(role, section.role),
  );
  const path = usePathname();
  const isStartPage = path === '/settings';
  // On a wide screen, /settings shows the first section.
  const isCurrent = (href: string) => href === path || (isStartPage && href === settingsHref('account'));
  return (
    <>
      {!isStartPage && (
        <div className="-mb-3 lg:hidden">
          <BackLink href="/settings">{t('allSettings')}</BackLink>
        </div>
      )}
      <nav aria-label={t('settings')} className={cn('lg:sticky lg:top-20', !isStartPage && 'max-lg:hidden')}>
        <div className="grid gap-5">
          {settingsGroups.map((group) => (
            <div key={group} role="group" aria-labelledby={`settings-${group}`}>
              <h2 id={`settings-${group}`} className="text-ink-3 mb-1 px-4 text-xs font-medium lg:px-3">
                {t(`groups.${group}`)}
              </h2>
              <ul className="max-lg:bg-surface grid max-lg:divide-y max-lg:rounded-lg max-lg:border lg:gap-0.5">
                {offeredSections
                  .filter((section) => section.group === group)
                  .map(({ section, icon }) => (
                    <SectionLink
                      key={section}
                      section={section}
                      icon={icon}
                      current={isCurrent(settingsHref(section))}
                    />
                  ))}
              </ul>
            </div>
          ))}
        </div>
      </nav>
    </>
  );
}

interface SectionLinkProps {
  section: SettingsSection;
  icon: LucideIcon;
  current: boolean;
}

function SectionLink({ section, icon: Icon, current }: SectionLinkProps) {
  const t = useTranslations('settings.sections');
  return (
    <li>
      <Link
        href={settingsHref(section)}
        {...(current ? { 'aria-current': 'page' as const } : {})}
        className="text-ink-2 hover:bg-hover hover:text-ink lg:aria-[current=page]:bg-accent-soft lg:aria-[current=page]:text-accent-ink flex min-h-12 items-center gap-3 px-4 font-medium transition-colors lg:min-h-9 lg:rounded-md lg:px-3"
      >
        <Icon aria-hidden="true" className="size-4 shrink-0" strokeWidth={1.75} />
        <span className="min-w-0 flex-1">{t(section)}</span>
        <ChevronRight aria-hidden="true" className="text-ink-3 size-4 shrink-0 lg:hidden" />
      </Link>
    </li>
  );
}
