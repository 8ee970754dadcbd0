import { auto } from '@/components/ui/time/time-choice';

interface ZoneOption {
  readonly value: string;
  readonly label: string;
}

let zoneNames: readonly string[] | undefined;
const mostShown = 50;

/** Time zones whose name contains the text, with spaces for "_" and "/": "new york" matches America/New_York. */
export function zoneOptions(text: string, automatic: string): ZoneOption[] {
  // `supportedValuesOf` does not list UTC.
  zoneNames ??= ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];
  const searchText = plain(text.trim());
  const matches = zoneNames
    .filter((zone) => plain(zone).includes(searchText))
    .slice(0, mostShown)
    .map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }));
  return plain(automatic).includes(searchText) ? [{ value: auto, label: automatic }, ...matches] : matches;
}

const plain = (text: string) => text.toLowerCase().replaceAll(/[_/]/g, ' ');
