'use client';

import { createContext, useContext } from 'react';
import { useTeam } from '@/components/teams/use-team';
import { isAtLeast } from '@/lib/core/access/team-roles';
import { navigation, operatorNavigation, type NavigationGroup } from './navigation';

const IsOperator = createContext(false);

/** Tells its children whether the signed-in person is an operator. */
export const OperatorProvider = IsOperator.Provider;

/** Pages that the signed-in person can open, in groups. */
export function useNavigation(): readonly NavigationGroup[] {
  const navigationOfRole = useContext(IsOperator) ? operatorNavigation : navigation;
  const ownRole = useTeam().role;
  return navigationOfRole.map(({ items, ...group }) => ({
    ...group,
    items: items.filter(({ role = 'viewer' }) => isAtLeast(ownRole, role)),
  }));
}
