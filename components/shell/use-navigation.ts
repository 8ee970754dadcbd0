'use client';

import { createContext, useContext } from 'react';
import { useTeam } from '@/components/teams/use-team';
import { isAtLeast } from '@/lib/core/access/team-roles';
import { navigation, operatorNavigation, type NavigationGroup } from './navigation';

const IsOperatorContext = createContext(false);

/** Tells its children whether the signed-in person is an operator. */
export const OperatorProvider = IsOperatorContext.Provider;

/** Pages that the signed-in person can open, in groups. */
export function useNavigation(): readonly NavigationGroup[] {
  const groups = useContext(IsOperatorContext) ? operatorNavigation : navigation;
  const teamRole = useTeam().role;
  return groups.map(({ items, ...group }) => ({
    ...group,
    items: items.filter(({ role: minimumRole = 'viewer' }) => isAtLeast(teamRole, minimumRole)),
  }));
}
