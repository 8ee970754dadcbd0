export interface CalendarEntry {
  /** Id of the entry, equal in all its versions, so that calendars update the entry. */
  readonly uid: string;
  readonly title: string;
  readonly description: string | null;
  /** URL of the watch page. */
  readonly url: string;
  /** Announced start of the stream, in Unix milliseconds. */
  readonly startsAt: number;
  /** Creation time of this file, in Unix milliseconds: calendars keep the entry with the latest one. */
  readonly createdAt: number;
}

/** Maximum octets of a line without its line break (RFC 5545, 3.1). */
const MAX_LINE_OCTETS = 75;

/**
 * Creates an iCalendar file (RFC 5545) with one event. The event lasts an hour, because the end of a stream
 * is unknown.
 */
export function createCalendarFile({
  uid,
  title,
  description,
  url,
  startsAt,
  createdAt,
}: CalendarEntry): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Headwater//Watch page//EN',
    'BEGIN:VEVENT',
    `UID:${escapeText(uid)}`,
    `DTSTAMP:${formatUtc(createdAt)}`,
    `DTSTART:${formatUtc(startsAt)}`,
    'DURATION:PT1H',
    `SUMMARY:${escapeText(title)}`,
    ...(description === null ? [] : [`DESCRIPTION:${escapeText(description)}`]),
    `URL:${url}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${foldLine(line)}\r\n`).join('');
}

/** Formats a UTC time, such as "20261220T170000Z". */
const formatUtc = (time: number): string => new Date(time).toISOString().replaceAll(/[-:]|\.\d{3}/g, '');

/** Escapes a TEXT value (RFC 5545, 3.3.11). */
const escapeText = (text: string): string =>
  text
    .replaceAll(/[\\;,]/g, String.raw`\$&`)
    .replaceAll(/\r\n|\r|\n/g, String.raw`\n`)
    .replaceAll(/\p{Cc}/gu, ' ');

/** Folds a long line: it continues on the next line after a space. No character is split. */
function foldLine(line: string): string {
  let result = '';
  let octets = 0;
  for (const character of line) {
    const size = new TextEncoder().encode(character).length;
    if (octets + size > MAX_LINE_OCTETS) {
      result += '\r\n ';
      octets = 1;
    }
    result += character;
    octets += size;
  }
  return result;
}
