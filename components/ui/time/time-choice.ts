import type { Language } from '@/messages/languages';

/** Choice of the settings of the browser. */
export const auto = 'auto' as const;
/** Clock formats: 12 hours with AM and PM, or 24 hours. */
export const hourCycles = ['12', '24'] as const;
export type Hours = (typeof hourCycles)[number];

/** Choice of the user. */
export interface TimeChoice {
  /** An IANA name, such as "Europe/Berlin", or "auto". */
  readonly zone: string;
  readonly hours: Hours | typeof auto;
}

/** How times are shown. */
export interface TimeStyle {
  /** IANA name of a time zone. */
  readonly zone: string;
  readonly hours: Hours;
}

export interface TimeSettings {
  readonly choice: TimeChoice;
  /** Settings of the browser, which apply for the choice "auto". */
  readonly browser: TimeStyle;
}

/** Time settings before the browser has reported its own: first visits and crawlers. */
export const unknownTime: TimeSettings = {
  choice: { zone: auto, hours: auto },
  browser: { zone: 'UTC', hours: '24' },
};

/** Languages with a single clock format. English regions differ: New York uses 12 hours, London 24. */
const hoursOf: Readonly<Partial<Record<Language, Hours>>> = { de: '24' };

/** Clock format that "auto" selects on a page in this language. */
export const hoursIn = (language: Language, { hours }: TimeStyle): Hours => hoursOf[language] ?? hours;

/** Style of times on pages. */
export function timeStyleOf({ choice, browser }: TimeSettings, language: Language): TimeStyle {
  return {
    zone: choice.zone === auto ? browser.zone : choice.zone,
    hours: choice.hours === auto ? hoursIn(language, browser) : choice.hours,
  };
}

/** Whether this browser or server knows such a time zone. */
export function isZone(name: string): boolean {
  try {
    return name !== '' && Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}

/** Time zone of the browser, and the clock format of its English region; 12 hours without an English region. */
export function browserTime(): TimeStyle {
  const english = navigator.languages.find((language) => language.startsWith('en')) ?? 'en';
  const { timeZone, hourCycle } = new Intl.DateTimeFormat(english, { hour: 'numeric' }).resolvedOptions();
  // A browser that hides its time zone may return a name that it does not support.
  return {
    zone: isZone(timeZone) ? timeZone : 'UTC',
    hours: hourCycle === 'h12' || hourCycle === 'h11' ? '12' : '24',
  };
}
