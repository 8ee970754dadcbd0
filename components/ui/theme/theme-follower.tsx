'use client';

import { useLayoutEffect } from 'react';
import { followTheme } from './follow-theme';

/** For pages that the browser itself draws from nothing, such as one that is not found: scripts of those never run. */
export function ThemeFollower() {
  useLayoutEffect(followTheme, []);
  return null;
}
