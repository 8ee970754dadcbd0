import type { OwnQuotas, QuotaName } from '@/lib/core/quotas/quota';

/** Stored units per entered unit: bytes are entered in gigabytes. */
const unitSizes: Readonly<Record<QuotaName, number>> = {
  liveStreams: 1,
  storageBytes: 1e9,
  uploadBytes: 1e9,
  renditions: 1,
  viewerBytes: 1e9,
};

type QuotaValue = OwnQuotas[QuotaName];

/**
 * Formats a quota for its field; empty for the default of the service.
 * @param unlimitedText text for "no limit"
 */
export function formatQuota(name: QuotaName, value: QuotaValue, unlimitedText: string): string {
  if (value === null) return '';
  if (value === 'unlimited') return unlimitedText;
  // Nine decimals of a gigabyte are one byte. Zeros at the end are removed.
  return (value / unitSizes[name]).toFixed(9).replace(/\.?0+$/, '');
}

/**
 * Parses the text of a field. A comma may be the decimal separator.
 * @returns null for the default of the service; undefined if the text is not a quota
 */
export function parseQuota(name: QuotaName, text: string, unlimitedText: string): QuotaValue | undefined {
  const trimmedText = text.trim();
  if (trimmedText === '') return null;
  if (trimmedText.toLowerCase() === unlimitedText.toLowerCase()) return 'unlimited';
  if (!/^\d{1,12}(?:[.,]\d{1,9})?$/.test(trimmedText)) return undefined;
  const value = Number(trimmedText.replace(',', '.')) * unitSizes[name];
  if (unitSizes[name] === 1 && !Number.isInteger(value)) return undefined;
  const amount = Math.round(value);
  return Number.isSafeInteger(amount) ? amount : undefined;
}
