'use client';

import { yearSeconds } from '@/lib/core/units';
import { useEffect } from 'react';
import type { TimeChoice, TimeSettings } from './time-choice';
import { timeCookie, timeText } from './time-cookie';
import { setTimeSettings, useTimeSettings } from './time-settings';

/** Apart from time-settings.tsx, because pages of viewers only read. */

/** A year from the last visit. */
const keptSeconds = yearSeconds;

function keep(settings: TimeSettings): void {
  const secure = window.location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `${timeCookie}=${timeText(settings)}; Path=/; Max-Age=${keptSeconds}; SameSite=Lax${secure}`;
}

/** Applies at once, on every page of this browser. */
export function chooseTime({ choice, browser }: TimeSettings, change: Partial<TimeChoice>): void {
  const settings = { choice: { ...choice, ...change }, browser };
  keep(settings);
  setTimeSettings(settings);
}

/** Tells the server what this browser shows, for the pages that it renders next. */
export function RememberTime() {
  const settings = useTimeSettings();
  useEffect(() => keep(settings), [settings]);
  return null;
}
