'use client';

import { ChevronsUpDown } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Menu, MenuRadioGroup } from '@/components/ui/overlay/menu';
import type { Team } from '@/lib/contract/accounts/team';
import { switchTeam, useTeam } from './use-team';

/** Menu that switches between the teams of a person; renders nothing for a person with one team. */
export function TeamSwitcher({ teams }: { teams: readonly Team[] }) {
  const t = useTranslations('shell.teams');
  const team = useTeam();
  if (teams.length < 2) return null;
  return (
    <Menu
      align="start"
      trigger={
        <button
          type="button"
          aria-label={t('current', { name: team.name })}
          className="hover:bg-hover mb-4 flex h-11 w-full items-center gap-3 rounded-md border px-3 text-left transition-colors lg:h-10"
        >
          <span className="min-w-0 flex-1 truncate font-medium">{team.name}</span>
          <ChevronsUpDown aria-hidden="true" className="text-ink-3 size-4 shrink-0" />
        </button>
      }
    >
      <MenuRadioGroup
        label={t('teams')}
        value={team.id}
        options={teams.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={switchTeam}
      />
    </Menu>
  );
}
