import type { Language } from '@/messages/languages';

const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const;

/** Bytes in steps of 1000, with three significant digits: "1.5 MB". */
export function formatSize(bytes: number, language: Language): string {
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${formatDecimal(value, unit === 0 || value >= 99.5 ? 0 : 1, language)} ${units[unit] ?? ''}`;
}

/** Bits per second: "2.9 Mbit/s". */
export function formatBitrate(bitsPerSecond: number, language: Language): string {
  if (bitsPerSecond < 999_500) return `${Math.round(bitsPerSecond / 1_000)} kbit/s`;
  const mega = bitsPerSecond / 1_000_000;
  return `${formatDecimal(mega, mega < 9.95 ? 1 : 0, language)} Mbit/s`;
}

/** A number with a fixed number of digits after the decimal separator. */
export const formatDecimal = (value: number, digits: number, language: Language): string =>
  value.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
