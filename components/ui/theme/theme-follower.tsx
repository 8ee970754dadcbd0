'use client';

import { useLayoutEffect } from 'react';
import { followTheme } from './follow-theme';

/**
 * Theme script for pages that React renders on the client only, such as not-found pages: their inline scripts never
 * run.
 */
export function ThemeFollower() {
  useLayoutEffect(followTheme, []);
  return null;
}
