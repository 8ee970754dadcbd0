'use client';

import { createContext, useContext, useEffect } from 'react';
import { teamCookieName } from '@/lib/contract/accounts/team';
import { reaches, type TeamRole } from '@/lib/core/access/team-roles';

export interface ActingTeam {
  readonly id: string;
  readonly name: string;
  /** Of the person who looks. */
  readonly role: TeamRole;
}

/** For pages without a team, and tests of components. */
const nobodys: ActingTeam = { id: '', name: '', role: 'owner' };
const Acting = createContext(nobodys);

/** Tells the pages below it which team they show. */
export const TeamProvider = Acting.Provider;

/** The team that this page shows. */
export const useTeam = (): ActingTeam => useContext(Acting);

/** Whether the person may do here what needs this role: what would be refused is not offered. */
export const useMay = (least: TeamRole): boolean => reaches(useTeam().role, least);

const yearSeconds = 31_536_000;

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
      const [, chosen = id] = new RegExp(`${teamCookieName}=([^;]+)`).exec(document.cookie) ?? [];
      if (document.visibilityState === 'visible' && chosen !== id) window.location.assign('/');
    };
    document.addEventListener('visibilitychange', follow);
    return () => document.removeEventListener('visibilitychange', follow);
  }, [id]);
}
