import type { OwnQuotas, QuotaName } from '@/lib/core/quotas/quota';

/** Factors between the stored and the entered numbers: bytes are entered in gigabytes. */
const divisors: Readonly<Record<QuotaName, number>> = {
  liveStreams: 1,
  storageBytes: 1e9,
  uploadBytes: 1e9,
  renditions: 1,
  viewerBytes: 1e9,
};

type Value = OwnQuotas[QuotaName];

/**
 * Formats a quota for its field; empty for the default of the service.
 * @param unlimitedText text for "no limit"
 */
export function formatQuota(name: QuotaName, value: Value, unlimitedText: string): string {
  if (value === null) return '';
  if (value === 'unlimited') return unlimitedText;
  return (value / divisors[name]).toFixed(9).replace(/\.?0+$/, '');
}

/** Parses the text of a field; undefined if the text is not a quota. A comma may be the decimal separator. */
export function parseQuota(name: QuotaName, text: string, unlimitedText: string): Value | undefined {
  const trimmedText = text.trim();
  if (trimmedText === '') return null;
  if (trimmedText.toLowerCase() === unlimitedText.toLowerCase()) return 'unlimited';
  if (!/^\d{1,12}(?:[.,]\d{1,9})?$/.test(trimmedText)) return undefined;
  const value = Number(trimmedText.replace(',', '.')) * divisors[name];
  if (divisors[name] === 1 && !Number.isInteger(value)) return undefined;
  const amount = Math.round(value);
  return Number.isSafeInteger(amount) ? amount : undefined;
}
