import type { OwnQuotas, QuotaName } from '@/lib/core/quotas/quota';

/** Bytes are written in gigabytes. */
const unit: Readonly<Record<QuotaName, number>> = {
  liveStreams: 1,
  storageBytes: 1e9,
  uploadBytes: 1e9,
  renditions: 1,
  viewerBytes: 1e9,
};

type Value = OwnQuotas[QuotaName];

/** A quota as the text of its field; empty is the default of the service. @param word for "no limit" */
export function quotaText(name: QuotaName, value: Value, word: string): string {
  if (value === null) return '';
  if (value === 'unlimited') return word;
  return (value / unit[name]).toFixed(9).replace(/\.?0+$/, '');
}

/** The other way round; undefined for a text that is no quota. A comma may stand for the decimal point. */
export function quotaOfText(name: QuotaName, text: string, word: string): Value | undefined {
  const trimmedText = text.trim();
  if (trimmedText === '') return null;
  if (trimmedText.toLowerCase() === word.toLowerCase()) return 'unlimited';
  if (!/^\d{1,12}(?:[.,]\d{1,9})?$/.test(trimmedText)) return undefined;
  const value = Number(trimmedText.replace(',', '.')) * unit[name];
  if (unit[name] === 1 && !Number.isInteger(value)) return undefined;
  const amount = Math.round(value);
  return Number.isSafeInteger(amount) ? amount : undefined;
}
