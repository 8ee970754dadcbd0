'use client';

import { Menu as MenuIcon, Search } from 'lucide-react';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { TeamSwitcher } from '@/components/teams/team-switcher';
import { Button } from '@/components/ui/button';
import { Wordmark } from '@/components/ui/mark';
import { SideSheet } from '@/components/ui/overlay/side-sheet';
import { useHydrated } from '@/components/ui/use-hydrated';
import type { Team } from '@/lib/contract/accounts/team';
import { useUnreachableSince } from '@/lib/client/use-server-reachability';
import { NavLinks } from './nav-links';
import { UserMenu } from './user-menu';

interface ShellProps {
  email: string;
  teams: readonly Team[];
  onLogOut: () => void;
  /** Called when the user asks for the command palette. */
  onSearch: () => void;
  children: ReactNode;
}

/** The frame around every dashboard page: a sidebar, or on a phone a bar with a drawer. */
export function Shell({ email, teams, onLogOut, onSearch, children }: ShellProps) {
  const t = useTranslations('shell.frame');
  const isHydrated = useHydrated();
  const isUnreachable = useUnreachableSince() !== null;
  return (
    <div
      // app/globals.css dims live values, which are outdated.
      {...(isUnreachable ? { 'data-stale': '' } : {})}
      className="min-h-dvh lg:grid lg:grid-cols-[15rem_minmax(0,1fr)]"
    >
      <a
        href="#main"
        className="bg-accent text-on-accent sr-only z-50 rounded-md px-4 py-2 focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      >
        {t('skipToContent')}
      </a>
      <aside className="bg-surface sticky top-0 hidden h-dvh flex-col border-r p-3 lg:flex">
        <Link href="/" className="mb-6 flex h-10 w-fit items-center rounded-md px-3">
          <Wordmark />
        </Link>
        <TeamSwitcher teams={teams} />
        <button
          type="button"
          onClick={onSearch}
          aria-keyshortcuts="Control+K Meta+K"
          className="text-ink-3 hover:text-ink bg-sunken mb-4 flex h-9 items-center gap-3 rounded-md border px-3 transition-colors"
        >
          <Search aria-hidden="true" className="size-4" strokeWidth={1.75} />
          {t('search')}
          <kbd className="ml-auto font-mono text-xs">{t('searchKeys')}</kbd>
        </button>
        <NavLinks />
        <div className="mt-auto">
          <UserMenu email={email} onLogOut={onLogOut} />
        </div>
      </aside>
      <header className="bg-surface sticky top-0 z-30 flex h-14 items-center justify-between border-b px-4 lg:hidden">
        <Link href="/" className="flex items-center rounded-md">
          <Wordmark />
        </Link>
        <div className="-mr-2 flex items-center">
          <Button variant="ghost" size="icon" aria-label={t('search')} onClick={onSearch} className="size-11">
            <Search aria-hidden="true" />
          </Button>
          <Drawer email={email} teams={teams} onLogOut={onLogOut} />
        </div>
      </header>
      <main
        id="main"
        tabIndex={-1}
        // `--dock-room` is the height of elements at the bottom of the window, above which the content must scroll.
        // The page ignores input until hydration, because input would be lost.
        inert={!isHydrated}
        aria-busy={!isHydrated}
        className="min-w-0 px-4 pt-6 pb-[calc(var(--dock-room,0px)+1.5rem)] outline-none sm:px-6 lg:px-10 lg:pt-6 lg:pb-[calc(var(--dock-room,0px)+2.5rem)]"
      >
        <div className="mx-auto max-w-6xl">{children}</div>
      </main>
    </div>
  );
}

function Drawer({ email, teams, onLogOut }: Pick<ShellProps, 'email' | 'teams' | 'onLogOut'>) {
  const t = useTranslations('shell.frame');
  return (
    <SideSheet
      title={t('navigation')}
      mark={<Wordmark />}
      closeLabel={t('closeNavigation')}
      trigger={
        <Button variant="ghost" size="icon" aria-label={t('openNavigation')} className="size-11">
          <MenuIcon aria-hidden="true" />
        </Button>
      }
    >
      {(close) => (
        <>
          <TeamSwitcher teams={teams} />
          <NavLinks onNavigate={close} />
          <div className="mt-auto">
            <UserMenu email={email} onLogOut={onLogOut} />
          </div>
        </>
      )}
    </SideSheet>
  );
}
