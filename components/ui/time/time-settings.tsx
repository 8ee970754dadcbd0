'use client';

import { createContext, type ReactNode, use, useSyncExternalStore } from 'react';
import { useLocale } from 'use-intl';
import { browserTime, timeStyleOf, unknownTime, type TimeSettings } from './time-choice';
import { type TimeFormat, timeFormatOf } from './time-format';

/** Time settings from the cookie, for server rendering. */
const ServerTimeSettings = createContext<TimeSettings>(unknownTime);

/** Provides the settings with which the server rendered the page, for the first render in the browser. */
export function ServerTimeProvider({ settings, children }: { settings: TimeSettings; children: ReactNode }) {
  return <ServerTimeSettings value={settings}>{children}</ServerTimeSettings>;
}

/** Time settings of this browser; null before the first use and on the server. */
let browserSettings: TimeSettings | null = null;
const listeners = new Set<() => void>();

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Time settings of this page: the settings of the server during hydration, then those of this browser. */
export function useTimeSettings(): TimeSettings {
  const serverSettings = use(ServerTimeSettings);
  return useSyncExternalStore(
    subscribe,
    () => (browserSettings ??= { choice: serverSettings.choice, browser: browserTime() }),
    () => serverSettings,
  );
}

/** Formats of times for this page, in its language and with the time settings of this browser. */
export function useTimeFormat(): TimeFormat {
  const language = useLocale();
  return timeFormatOf(timeStyleOf(useTimeSettings(), language), language);
}

/** Applies time settings to all components of this page. */
export function applyTimeSettings(settings: TimeSettings): void {
  browserSettings = settings;
  for (const listener of listeners) listener();
}
