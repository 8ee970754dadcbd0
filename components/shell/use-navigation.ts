'use client';

import { createContext, useContext } from 'react';
import { navigation, operatorNavigation, type NavigationGroup } from './navigation';

const IsOperator = createContext(false);

/** Tells the pages below it whether the logged-in user is an operator. */
export const OperatorProvider = IsOperator.Provider;

/** The pages that the user of this page can go to, in groups. */
export const useNavigation = (): readonly NavigationGroup[] =>
  useContext(IsOperator) ? operatorNavigation : navigation;
