import type { Language } from '@/messages/languages';
import type { TimeStyle } from './time-choice';

/** All formats of times on pages, with English examples. Arguments are Unix milliseconds. */
export interface TimeFormat extends TimeStyle {
  /** "13:05" or "1:05 PM" */
  readonly time: (timestamp: number) => string;
  /** "13:05:09" or "1:05:09 PM" */
  readonly timeWithSeconds: (timestamp: number) => string;
  /** "May 20" */
  readonly day: (timestamp: number) => string;
  /** "Wednesday, May 20" */
  readonly weekdayAndDay: (timestamp: number) => string;
  /** "Wed" */
  readonly weekday: (timestamp: number) => string;
  /** "20" */
  readonly dayOfMonth: (timestamp: number) => string;
  /** "2026" */
  readonly year: (timestamp: number) => string;
  /** "May" */
  readonly month: (timestamp: number) => string;
  /** "May 20, 2026" */
  readonly date: (timestamp: number) => string;
  /** "May 20, 13:05" */
  readonly dayAndTime: (timestamp: number) => string;
  /** "May 20, 2026, 13:05" */
  readonly dateAndTime: (timestamp: number) => string;
  /** "May 20, 2026, 13:05:09 GMT+2", for tooltips. */
  readonly full: (timestamp: number) => string;
}

const minuteOptions = { minute: '2-digit' } as const;
const dayOptions = { month: 'short', day: 'numeric' } as const;
const dateOptions = { ...dayOptions, year: 'numeric' } as const;

const formats = new Map<string, TimeFormat>();
/** A browser has few time zones, but a server reads them from cookies, so the cache is limited. */
const MAX_FORMATS = 500;

/** Formats for a style and a language. The object is cached, so that its identity is stable. */
export function timeFormatOf(style: TimeStyle, language: Language): TimeFormat {
  const key = `${style.zone} ${style.hours} ${language}`;
  const format = formats.get(key);
  if (format) return format;
  if (formats.size >= MAX_FORMATS) formats.clear();
  const newFormat = createTimeFormat(style, language);
  formats.set(key, newFormat);
  return newFormat;
}

function createTimeFormat({ zone, hours }: TimeStyle, language: Language): TimeFormat {
  const timeOptions =
    hours === '24'
      ? ({ ...minuteOptions, hour: '2-digit', hourCycle: 'h23' } as const)
      : ({ ...minuteOptions, hour: 'numeric', hourCycle: 'h12' } as const);
  // An Intl.DateTimeFormat is slow to create, so each is created when it is used for the first time.
  const createFormatter = (options: Intl.DateTimeFormatOptions) => {
    let format: Intl.DateTimeFormat | undefined;
    return (timestamp: number) => {
      format ??= new Intl.DateTimeFormat(language, { ...options, timeZone: zone });
      // Versions of ICU differ in the space before PM, but the texts of server and browser must be equal.
      return format.format(timestamp).replaceAll('\u202F', ' ');
    };
  };
  return {
    zone,
    hours,
    time: createFormatter(timeOptions),
    timeWithSeconds: createFormatter({ ...timeOptions, second: '2-digit' }),
    day: createFormatter(dayOptions),
    weekdayAndDay: createFormatter({ weekday: 'long', month: 'long', day: 'numeric' }),
    weekday: createFormatter({ weekday: 'short' }),
    dayOfMonth: createFormatter({ day: 'numeric' }),
    year: createFormatter({ year: 'numeric' }),
    month: createFormatter({ month: 'short' }),
    date: createFormatter(dateOptions),
    dayAndTime: createFormatter({ ...dayOptions, ...timeOptions }),
    dateAndTime: createFormatter({ ...dateOptions, ...timeOptions }),
    full: createFormatter({ ...dateOptions, ...timeOptions, second: '2-digit', timeZoneName: 'short' }),
  };
}
