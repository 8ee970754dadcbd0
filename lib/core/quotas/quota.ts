import type { ErrorCode } from '../errors';

/**
 * Limits of a team. `liveStreams`: concurrent streams. `storageBytes`: stored now, including deleted assets.
 * `uploadBytes`: of one uploaded or imported file. `renditions`: of one stream. `viewerBytes`: delivered in a calendar
 * month (UTC).
 */
export const quotaNames = [
  'liveStreams',
  'storageBytes',
  'uploadBytes',
  'renditions',
  'viewerBytes',
] as const;
export type QuotaName = (typeof quotaNames)[number];

/** Null: no limit. */
export type Quotas = Readonly<Record<QuotaName, number | null>>;

/** Quotas that an operator set for a team. null: the default of the service. */
export type OwnQuotas = Readonly<Record<QuotaName, number | 'unlimited' | null>>;

/** The limits of a team. */
export function quotasOf(ownQuotas: OwnQuotas, defaults: Quotas): Quotas {
  const limitOf = (name: QuotaName) => {
    const value = ownQuotas[name];
    return value === 'unlimited' ? null : (value ?? defaults[name]);
  };
  return {
    liveStreams: limitOf('liveStreams'),
    storageBytes: limitOf('storageBytes'),
    uploadBytes: limitOf('uploadBytes'),
    renditions: limitOf('renditions'),
    viewerBytes: limitOf('viewerBytes'),
  };
}

/** `warned`: from 80 %; `reached`: nothing more fits. */
export const quotaStates = ['free', 'warned', 'reached'] as const;
export type QuotaState = (typeof quotaStates)[number];

const warnedShare = 0.8;

/** How much of a limit is used. @param used current use */
export function quotaState(limit: number | null, used: number): QuotaState {
  if (limit === null) return 'free';
  if (used >= limit) return 'reached';
  return used >= warnedShare * limit ? 'warned' : 'free';
}

export interface QuotaRefusal {
  /** 402 for amounts that are billed, 403 for counts, 413 for a file: see docs/adr/0045-quotas.md. */
  readonly code: Extract<ErrorCode, 'payment_required' | 'forbidden' | 'payload_too_large'>;
  /** Starts with the limited resource, and names the use and the limit. */
  readonly message: string;
}

interface QuotaRequest {
  readonly limit: number | null;
  /** Current use without the requested amount. */
  readonly used: number;
  /** For `storageBytes`: bytes reserved for uploads that have not finished. */
  readonly reserved?: number;
  /** Requested amount; 0 for an unknown size, which fits while the limit is not reached. */
  readonly more: number;
}

/** Null if it fits. */
export function quotaRefusal(name: QuotaName, amount: QuotaRequest): QuotaRefusal | null {
  const { limit, used, reserved = 0, more } = amount;
  if (limit === null) return null;
  const usedTotal = used + reserved;
  const fits = more > 0 ? usedTotal + more <= limit : usedTotal < limit;
  return fits ? null : { code: codes[name], message: quotaMessages[name]({ ...amount, limit }) };
}

const codes = {
  liveStreams: 'forbidden',
  storageBytes: 'payment_required',
  uploadBytes: 'payload_too_large',
  renditions: 'forbidden',
  viewerBytes: 'payment_required',
} as const satisfies Record<QuotaName, QuotaRefusal['code']>;

type QuotaMessage = (amount: QuotaRequest & { readonly limit: number }) => string;

const quotaMessages: Readonly<Record<QuotaName, QuotaMessage>> = {
  liveStreams: ({ limit, used }) =>
    `live streams: ${used} of ${limit} are live. End one, or ask the operator of this service for more.`,
  storageBytes: ({ limit, used, reserved = 0, more }) => {
    const reservedText = reserved > 0 ? `, and ${sizeText(reserved)} are arriving` : '';
    const fileText = more > 0 ? `; this file has ${sizeText(more)}` : '';
    return `storage: ${sizeText(used)} of ${sizeText(limit)} are used${reservedText}${fileText}. Delete assets, or ask the operator of this service for more.`;
  },
  uploadBytes: ({ limit, more }) =>
    `upload: ${sizeText(more)} are more than the limit of ${sizeText(limit)} for one file`,
  renditions: ({ limit, more }) =>
    `profiles: ${more} are more than the limit of ${limit} renditions for one stream`,
  viewerBytes: ({ limit, used }) =>
    `viewers: ${sizeText(used)} of ${sizeText(limit)} were delivered this month. Playback continues next month, or when the operator of this service raises the limit.`,
};

const units = ['bytes', 'kB', 'MB', 'GB', 'TB', 'PB'] as const;

/** A size with three digits and a decimal unit, such as "10.2 GB". A reached limit is never rounded below itself. */
export function sizeText(bytes: number): string {
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const value = bytes / 1_000 ** power;
  const digits = power === 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return `${Number(value.toFixed(digits))} ${units[power] ?? 'bytes'}`;
}

/** The first day of the month of `date`, both as `2026-01-31`. */
export const monthStart = (date: string): string => `${date.slice(0, 7)}-01`;
