'use client';

import { YEAR_SECONDS } from '@/lib/core/units';
import { useEffect } from 'react';
import type { TimeChoice, TimeSettings } from './time-choice';
import { timeCookie, formatTimeCookie } from './time-cookie';
import { applyTimeSettings, useTimeSettings } from './time-settings';

// This file is separate from time-settings.tsx, because viewer pages do not store the settings.

/** Lifetime of the cookie: a year from the last visit. */
const MAX_AGE_SECONDS = YEAR_SECONDS;

function storeTimeCookie(settings: TimeSettings): void {
  const secure = window.location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `${timeCookie}=${formatTimeCookie(settings)}; Path=/; Max-Age=${MAX_AGE_SECONDS}; SameSite=Lax${secure}`;
}

/** Stores a changed choice for later pages of this browser, and applies it to this page. */
export function storeTimeChoice({ choice, browser }: TimeSettings, change: Partial<TimeChoice>): void {
  const settings = { choice: { ...choice, ...change }, browser };
  storeTimeCookie(settings);
  applyTimeSettings(settings);
}

/** Stores the settings of this browser in a cookie, so that the server renders later pages with them. */
export function TimeSettingsCookie() {
  const settings = useTimeSettings();
  useEffect(() => storeTimeCookie(settings), [settings]);
  return null;
}
