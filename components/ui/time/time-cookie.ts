import { auto, hourCycles, isZone, type TimeSettings } from './time-choice';

/**
 * Cookie of the time settings. They are not part of the account, because "auto" depends on the browser, and the server
 * needs them to render the same times as the browser.
 */
export const timeCookie = 'headwater-time';

/** The value of the cookie. */
export const formatTimeCookie = ({ choice, browser }: TimeSettings): string =>
  encodeURIComponent([choice.zone, choice.hours, browser.zone, browser.hours].join('|'));

/** Parses the value of the cookie, encoded or not; null for anything else. */
export function parseTimeCookie(text: string | undefined): TimeSettings | null {
  if (!text || text.length > 200) return null;
  const [zone = '', hours, browserZone = '', browserHours] = decode(text).split('|');
  const hourCycle = ([auto, ...hourCycles] as const).find((cycle) => cycle === hours);
  const browserCycle = hourCycles.find((cycle) => cycle === browserHours);
  if (!hourCycle || !browserCycle || !isZone(browserZone) || !(zone === auto || isZone(zone))) return null;
  return { choice: { zone, hours: hourCycle }, browser: { zone: browserZone, hours: browserCycle } };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
