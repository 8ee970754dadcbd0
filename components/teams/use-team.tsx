'use client';

import { YEAR_SECONDS } from '@/lib/core/units';
import { createContext, useContext, useEffect, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { teamCookieName } from '@/lib/core/access/shared-names';
import { isAtLeast, type TeamRole } from '@/lib/core/access/team-roles';

/** The active team: the team whose objects the dashboard shows. */
export interface ActiveTeam {
  readonly id: string;
  readonly name: string;
  /** Role of the signed-in person. */
  readonly role: TeamRole;
}

/** Team of pages without a team, and of component tests. */
const defaultTeam: ActiveTeam = { id: '', name: '', role: 'owner' };
const TeamContext = createContext(defaultTeam);

/** Provides the active team to the pages below. */
export const TeamProvider = TeamContext.Provider;

/** The active team of this page. */
export const useTeam = (): ActiveTeam => useContext(TeamContext);

/** Whether the signed-in person has at least this role in the active team. */
export const useHasRole = (minimumRole: TeamRole): boolean => isAtLeast(useTeam().role, minimumRole);

interface PermissionProps {
  /** Default: developer, the role that may change streams, assets and other objects of the team. */
  minimumRole?: TeamRole;
  children: ReactNode;
}

/** Renders its children only for members with at least this role. */
export function IfPermitted({ minimumRole = 'developer', children }: PermissionProps): ReactNode {
  return useHasRole(minimumRole) ? children : null;
}

/**
 * Settings that every member can read. For members with a lower role, the fields and buttons are disabled, and a text
 * says which role is required.
 */
export function ReadOnlyUnlessPermitted({ minimumRole = 'developer', children }: PermissionProps): ReactNode {
  const t = useTranslations('shell.teams');
  const tTeamRoles = useTranslations('settings.teamRoles');
  const { role } = useTeam();
  if (useHasRole(minimumRole)) return children;
  return (
    <fieldset disabled className="grid min-w-0 gap-6">
      <p className="text-ink-2">
        {t('readOnly', { role: tTeamRoles(role), least: tTeamRoles(minimumRole) })}
      </p>
      {children}
    </fieldset>
  );
}

/** Makes another team active, in a cookie that the server reads, and opens the home page. */
export function switchTeam(id: string): void {
  const secure = window.location.protocol === 'https:' ? '; secure' : '';
  document.cookie = `${teamCookieName}=${id}; path=/; max-age=${YEAR_SECONDS}; samesite=lax${secure}`;
  window.location.assign('/');
}

/**
 * Opens the home page when this tab becomes visible after another tab has switched the team.
 * @param id id of the active team of this tab
 */
export function useReloadOnTeamSwitch(id: string): void {
  useEffect(() => {
    const reloadOnSwitch = () => {
      const [, teamId = id] = new RegExp(`${teamCookieName}=([^;]+)`).exec(document.cookie) ?? [];
      if (document.visibilityState === 'visible' && teamId !== id) window.location.assign('/');
    };
    document.addEventListener('visibilitychange', reloadOnSwitch);
    return () => document.removeEventListener('visibilitychange', reloadOnSwitch);
  }, [id]);
}
