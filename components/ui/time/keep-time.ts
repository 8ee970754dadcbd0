'use client';

import { yearSeconds } from '@/lib/core/units';
import { useEffect } from 'react';
import type { TimeChoice, TimeSettings } from './time-choice';
import { timeCookie, formatTimeCookie } from './time-cookie';
import { setTimeSettings, useTimeSettings } from './time-settings';

/** Separate from time-settings.tsx, because viewer pages only read the settings. */

/** Lifetime of the cookie: a year from the last visit. */
const keptSeconds = yearSeconds;

function keep(settings: TimeSettings): void {
  const secure = window.location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `${timeCookie}=${formatTimeCookie(settings)}; Path=/; Max-Age=${keptSeconds}; SameSite=Lax${secure}`;
}

/** Stores the settings, which take effect immediately on every page of this browser. */
export function chooseTime({ choice, browser }: TimeSettings, change: Partial<TimeChoice>): void {
  const settings = { choice: { ...choice, ...change }, browser };
  keep(settings);
  setTimeSettings(settings);
}

/** Sends the effective settings to the server for later pages. */
export function StoreTimeSettings() {
  const settings = useTimeSettings();
  useEffect(() => keep(settings), [settings]);
  return null;
}
