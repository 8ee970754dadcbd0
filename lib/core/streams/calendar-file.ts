export interface CalendarEntry {
  /** Id that all versions of the entry share, so that calendars update it. */
  readonly uid: string;
  readonly title: string;
  readonly description: string | null;
  /** URL of the watch page. */
  readonly url: string;
  /** Unix milliseconds. */
  readonly startsAt: number;
  /** Creation time of this version, in Unix milliseconds. */
  readonly writtenAt: number;
}

/** Maximum octets of a line without its line break (RFC 5545, 3.1). */
const maxLineOctets = 75;

/** An iCalendar file (RFC 5545) with one event of an hour, because the end of a broadcast is unknown. */
export function calendarFile({ uid, title, description, url, startsAt, writtenAt }: CalendarEntry): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Headwater//Watch page//EN',
    'BEGIN:VEVENT',
    `UID:${escapeText(uid)}`,
    `DTSTAMP:${utc(writtenAt)}`,
    `DTSTART:${utc(startsAt)}`,
    'DURATION:PT1H',
    `SUMMARY:${escapeText(title)}`,
    ...(description === null ? [] : [`DESCRIPTION:${escapeText(description)}`]),
    `URL:${url}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${foldLine(line)}\r\n`).join('');
}

/** Format of a UTC time: "20261220T170000Z". */
const utc = (at: number): string => new Date(at).toISOString().replaceAll(/[-:]|\.\d{3}/g, '');

/** A TEXT value (RFC 5545, 3.3.11). */
const escapeText = (text: string): string =>
  text
    .replaceAll(/[\\;,]/g, String.raw`\$&`)
    .replaceAll(/\r\n|\r|\n/g, String.raw`\n`)
    .replaceAll(/\p{Cc}/gu, ' ');

/** Long lines continue on the next line after a blank, without splitting a character. */
function foldLine(line: string): string {
  let result = '';
  let octets = 0;
  for (const character of line) {
    const size = new TextEncoder().encode(character).length;
    if (octets + size > maxLineOctets) {
      result += '\r\n ';
      octets = 1;
    }
    result += character;
    octets += size;
  }
  return result;
}
