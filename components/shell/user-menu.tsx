'use client';

import { ChevronsUpDown, LogOut, Users } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { CreateTeamDialog } from '@/components/teams/create-team';
import { Menu, MenuItem, MenuSeparator } from '@/components/ui/overlay/menu';
import { ThemeRadioGroup } from '@/components/ui/theme/theme-choice';

interface UserMenuProps {
  email: string;
  onLogOut: () => void;
}

/** Menu of the signed-in user: the theme, the creation of a team, and log-out. */
export function UserMenu({ email, onLogOut }: UserMenuProps) {
  const t = useTranslations('shell.frame');
  const [isCreatingTeam, setCreatingTeam] = useState(false);
  return (
    <>
      <Menu
        side="top"
        align="start"
        trigger={
          <button
            type="button"
            aria-label={t('account', { email })}
            className="hover:bg-hover flex h-12 w-full items-center gap-3 rounded-md px-2 text-left transition-colors"
          >
            <span
              aria-hidden="true"
              className="bg-accent-soft text-accent-ink grid size-8 shrink-0 place-items-center rounded-full text-sm font-semibold uppercase"
            >
              {email.charAt(0)}
            </span>
            <span className="min-w-0 flex-1 truncate text-sm">{email}</span>
            <ChevronsUpDown aria-hidden="true" className="text-ink-3 size-4 shrink-0" />
          </button>
        }
      >
        <ThemeRadioGroup />
        <MenuSeparator />
        <MenuItem icon={Users} onSelect={() => setCreatingTeam(true)}>
          {t('createTeam')}
        </MenuItem>
        <MenuItem icon={LogOut} onSelect={onLogOut}>
          {t('logOut')}
        </MenuItem>
      </Menu>
      <CreateTeamDialog open={isCreatingTeam} onOpenChange={setCreatingTeam} />
    </>
  );
}
