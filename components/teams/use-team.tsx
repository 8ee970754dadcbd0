'use client';

import { yearSeconds } from '@/lib/core/units';
import { createContext, useContext, useEffect, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { teamCookieName } from '@/lib/core/access/shared-names';
import { isAtLeast, type TeamRole } from '@/lib/core/access/team-roles';

export interface ActingTeam {
  readonly id: string;
  readonly name: string;
  /** Role of the signed-in person. */
  readonly role: TeamRole;
}

/** Default for pages without a team and component tests. */
const defaultTeam: ActingTeam = { id: '', name: '', role: 'owner' };
const TeamContext = createContext(defaultTeam);

/** Provides the active team to the pages below. */
export const TeamProvider = TeamContext.Provider;

/** The active team of this page. */
export const useTeam = (): ActingTeam => useContext(TeamContext);

/** Whether the person has at least this role in the team. */
export const useMay = (least: TeamRole): boolean => isAtLeast(useTeam().role, least);

interface RoleProps {
  /** Minimum role; default: that of endpoints which change an object. */
  least?: TeamRole;
  children: ReactNode;
}

/** Buttons and menu items for members with the role; other members do not see them. */
export function ForRole({ least = 'developer', children }: RoleProps): ReactNode {
  return useMay(least) ? children : null;
}

/**
 * Settings that every member can read. For members without the role, fields and buttons are disabled, with the
 * reason.
 */
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

/** Makes another team active and opens the home page. */
export function showTeam(id: string): void {
  const secure = window.location.protocol === 'https:' ? '; secure' : '';
  document.cookie = `${teamCookieName}=${id}; path=/; max-age=${yearSeconds}; samesite=lax${secure}`;
  window.location.assign('/');
}

/** Another tab may have switched the team: this tab reloads with it when it becomes visible. */
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
