import { auto } from '@/components/ui/time/time-choice';

interface ZoneOption {
  readonly value: string;
  readonly label: string;
}

/** All names of time zones; undefined before the first use. */
let zoneNames: readonly string[] | undefined;
const MAX_OPTIONS = 50;

/**
 * Options for time zones whose name contains the text: "new york" matches America/New_York.
 * @param automaticLabel label of the option for the time zone of the browser, which is searched too
 */
export function zoneOptions(text: string, automaticLabel: string): ZoneOption[] {
  // `supportedValuesOf` does not list UTC.
  zoneNames ??= ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];
  const searchText = normalizeName(text.trim());
  const matches = zoneNames
    .filter((zone) => normalizeName(zone).includes(searchText))
    .slice(0, MAX_OPTIONS)
    .map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }));
  return normalizeName(automaticLabel).includes(searchText)
    ? [{ value: auto, label: automaticLabel }, ...matches]
    : matches;
}

const normalizeName = (text: string) => text.toLowerCase().replaceAll(/[_/]/g, ' ');
