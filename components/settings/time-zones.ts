import { auto } from '@/components/ui/time/time-choice';

interface ZoneOption {
  readonly value: string;
  readonly label: string;
}

let zoneNames: readonly string[] | undefined;
const MAX_OPTIONS = 50;

/** Time zones whose name contains the text, with spaces for "_" and "/": "new york" matches America/New_York. */
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
