'use client';

import { createContext, useContext } from 'react';
import { useTeam } from '@/components/teams/use-team';
import { reaches } from '@/lib/core/access/team-roles';
import { navigation, operatorNavigation, type NavigationGroup } from './navigation';

const IsOperator = createContext(false);

/** Whether the logged-in user is an operator, for the pages below. */
export const OperatorProvider = IsOperator.Provider;

/** The pages that this user can open, in groups. */
export function useNavigation(): readonly NavigationGroup[] {
  const navigationOfRole = useContext(IsOperator) ? operatorNavigation : navigation;
  const ownRole = useTeam().role;
  return navigationOfRole.map(({ items, ...group }) => ({
    ...group,
    items: items.filter(({ role = 'viewer' }) => reaches(ownRole, role)),
  }));
}
