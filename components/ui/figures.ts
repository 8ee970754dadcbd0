import type { Language } from '@/messages/languages';

const byteUnits = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const;

/** Formats bytes in steps of 1000: "999 B", "1.5 MB", "250 MB". */
export function formatSize(bytes: number, language: Language): string {
  let value = bytes;
  let unitIndex = 0;
  // A value that would be rounded to 1000 gets the next unit.
  while (value >= 999.5 && unitIndex < byteUnits.length - 1) {
    value /= 1000;
    unitIndex += 1;
  }
  const digits = unitIndex === 0 || value >= 99.5 ? 0 : 1;
  return `${formatDecimal(value, digits, language)} ${byteUnits[unitIndex] ?? ''}`;
}

/** Formats a bitrate: "640 kbit/s", "2.9 Mbit/s", "12 Mbit/s". */
export function formatBitrate(bitsPerSecond: number, language: Language): string {
  if (bitsPerSecond < 999_500) return `${Math.round(bitsPerSecond / 1_000)} kbit/s`;
  const megabits = bitsPerSecond / 1_000_000;
  return `${formatDecimal(megabits, megabits < 9.95 ? 1 : 0, language)} Mbit/s`;
}

/** A number with a fixed number of digits after the decimal separator. */
export const formatDecimal = (value: number, digits: number, language: Language): string =>
  value.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
