'use client';

import { yearSeconds } from '@/lib/core/units';
import { createContext, useContext, useEffect, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { teamCookieName } from '@/lib/contract/accounts/team';
import { reaches, type TeamRole } from '@/lib/core/access/team-roles';

export interface ActingTeam {
  readonly id: string;
  readonly name: string;
  /** Role of the signed-in person. */
  readonly role: TeamRole;
}

/** Placeholder for pages without a team and tests of components. */
const nobodys: ActingTeam = { id: '', name: '', role: 'owner' };
const Acting = createContext(nobodys);

/** Tells the pages below it which team they show. */
export const TeamProvider = Acting.Provider;

/** The team that this page shows. */
export const useTeam = (): ActingTeam => useContext(Acting);

/** Whether the person may do here what needs this role. */
export const useMay = (least: TeamRole): boolean => reaches(useTeam().role, least);

interface RoleProps {
  /** Least role; default: that of endpoints which change an object. */
  least?: TeamRole;
  children: ReactNode;
}

/** Buttons and menu items, shown to those who have the role: what would be refused is not offered. */
export function ForRole({ least = 'developer', children }: RoleProps): ReactNode {
  return useMay(least) ? children : null;
}

/** Settings that everyone in the team can read: fields and buttons are disabled for those without the role, with the reason. */
export function ReadOnlyBelow({ least = 'developer', children }: RoleProps): ReactNode {
  const t = useTranslations('shell.teams');
  const roles = useTranslations('settings.teamRoles');
  const { role } = useTeam();
  if (useMay(least)) return children;
  return (
    <fieldset disabled className="grid min-w-0 gap-6">
      <p className="text-ink-2">{t('readOnly', { role: roles(role), least: roles(least) })}</p>
      {children}
    </fieldset>
  );
}

/** Shows the pages of another team from now on, from the start page. */
export function showTeam(id: string): void {
  const secure = window.location.protocol === 'https:' ? '; secure' : '';
  document.cookie = `${teamCookieName}=${id}; path=/; max-age=${yearSeconds}; samesite=lax${secure}`;
  window.location.assign('/');
}

/** Another tab may have chosen another team: this one then starts with it when it is looked at again. */
export function useFollowTeam(id: string): void {
  useEffect(() => {
    const follow = () => {
      const [, teamId = id] = new RegExp(`${teamCookieName}=([^;]+)`).exec(document.cookie) ?? [];
      if (document.visibilityState === 'visible' && teamId !== id) window.location.assign('/');
    };
    document.addEventListener('visibilitychange', follow);
    return () => document.removeEventListener('visibilitychange', follow);
  }, [id]);
}
