import { auto } from '@/components/ui/time/time-choice';

interface ZoneOption {
  readonly value: string;
  readonly label: string;
}

let all: readonly string[] | undefined;
const mostShown = 50;

/** Time zones whose name holds the text, spaces for "_" and "/": "new york" finds America/New_York. */
export function zoneOptions(text: string, automatic: string): ZoneOption[] {
  // UTC is no name of a region.
  all ??= ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];
  const wanted = plain(text.trim());
  const found = all
    .filter((zone) => plain(zone).includes(wanted))
    .slice(0, mostShown)
    .map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }));
  return plain(automatic).includes(wanted) ? [{ value: auto, label: automatic }, ...found] : found;
}

const plain = (text: string) => text.toLowerCase().replaceAll(/[_/]/g, ' ');
