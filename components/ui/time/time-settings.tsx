'use client';

import { createContext, type ReactNode, use, useSyncExternalStore } from 'react';
import { useLocale } from 'use-intl';
import { browserTime, styleOf, unknownTime, type TimeSettings } from './time-choice';
import { type TimeFormat, timeFormatOf } from './time-format';

/** Time settings from the cookie, for server rendering. */
const Rendered = createContext<TimeSettings>(unknownTime);

/** Makes the first render in the browser show the same times as the server. */
export function RenderedTime({ settings, children }: { settings: TimeSettings; children: ReactNode }) {
  return <Rendered value={settings}>{children}</Rendered>;
}

/** Time settings of this browser; null before the first use and on the server. */
let current: TimeSettings | null = null;
const listeners = new Set<() => void>();

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Time settings of this page: first those of the server, then those of this browser. */
export function useTimeSettings(): TimeSettings {
  const hydration = use(Rendered);
  return useSyncExternalStore(
    subscribe,
    () => (current ??= { choice: hydration.choice, browser: browserTime() }),
    () => hydration,
  );
}

/** Formats times on pages; no other formatter is used. */
export function useTimeFormat(): TimeFormat {
  const language = useLocale();
  return timeFormatOf(styleOf(useTimeSettings(), language), language);
}

/** Stores and applies the time settings of this browser. */
export function setTimeSettings(settings: TimeSettings): void {
  current = settings;
  for (const listener of listeners) listener();
}
