'use client';

import { useLayoutEffect } from 'react';
import { followTheme } from './follow-theme';

/**
 * Applies the theme on pages that React renders only on the client, such as not-found pages, whose inline scripts do
 * not run.
 */
export function ThemeFollower() {
  useLayoutEffect(followTheme, []);
  return null;
}
