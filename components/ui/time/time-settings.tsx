'use client';

import { createContext, type ReactNode, use, useEffect, useMemo, useSyncExternalStore } from 'react';
import {
  browserTime,
  readTimeText,
  styleOf,
  timeCookie,
  timeText,
  unknownTime,
  type TimeChoice,
  type TimeSettings,
} from './time-choice';
import { type TimeFormat, timeFormatOf } from './time-format';

/** The cookie as the server read it: what the page was rendered with. */
const Rendered = createContext<string | undefined>(undefined);

export function RenderedTime({ cookie, children }: { cookie: string | undefined; children: ReactNode }) {
  return <Rendered value={cookie}>{children}</Rendered>;
}

/** Of this browser; null until they are first asked for, and on the server. */
let current: TimeSettings | null = null;
const listeners = new Set<() => void>();

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function settingsHere(): TimeSettings {
  current ??= { choice: (kept() ?? unknownTime).choice, browser: browserTime() };
  return current;
}

function kept(): TimeSettings | null {
  const pair = document.cookie.split('; ').find((each) => each.startsWith(`${timeCookie}=`));
  return readTimeText(pair?.slice(timeCookie.length + 1));
}

/** A year from the last visit. */
const keptSeconds = 365 * 24 * 3_600;

function keep(settings: TimeSettings): void {
  const secure = window.location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `${timeCookie}=${timeText(settings)}; Path=/; Max-Age=${keptSeconds}; SameSite=Lax${secure}`;
}

/** How this browser shows times: first as the server rendered them, then as they are set here. */
export function useTimeSettings(): TimeSettings {
  const cookie = use(Rendered);
  const rendered = useMemo(() => readTimeText(cookie) ?? unknownTime, [cookie]);
  return useSyncExternalStore(subscribe, settingsHere, () => rendered);
}

/** The one way to write times on a page. */
export function useTimeFormat(): TimeFormat {
  return timeFormatOf(styleOf(useTimeSettings()));
}

/** Applies at once, on every page of this browser. */
export function chooseTime(choice: Partial<TimeChoice>): void {
  const { choice: before, browser } = settingsHere();
  current = { choice: { ...before, ...choice }, browser };
  keep(current);
  for (const listener of listeners) listener();
}

/** Tells the server what this browser shows, for the pages that it renders next. Not on pages of viewers. */
export function RememberTime() {
  useEffect(() => keep(settingsHere()), []);
  return null;
}
