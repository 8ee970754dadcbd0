import type { ErrorCode } from '../errors';

/**
 * Names of the quotas of a team. `liveStreams`: concurrent live streams. `storageBytes`: bytes stored now, including deleted
 * assets. `uploadBytes`: size of one uploaded or imported file. `renditions`: renditions of one stream. `viewerBytes`: bytes
 * delivered to viewers in a calendar month (UTC).
 */
export const quotaNames = [
  'liveStreams',
  'storageBytes',
  'uploadBytes',
  'renditions',
  'viewerBytes',
] as const;
export type QuotaName = (typeof quotaNames)[number];

/** The limits of a team; null for no limit. */
export type Quotas = Readonly<Record<QuotaName, number | null>>;

/** The limits that an operator set for a team; null for the default limit of the service. */
export type OwnQuotas = Readonly<Record<QuotaName, number | 'unlimited' | null>>;

/** The limits that apply to a team. */
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

/** States of a quota. `warned`: at least 80 % are used. `reached`: the limit is reached. */
export const quotaStates = ['free', 'warned', 'reached'] as const;
export type QuotaState = (typeof quotaStates)[number];

const WARNED_FRACTION = 0.8;

/**
 * The state of a quota.
 * @param used current usage
 */
export function quotaStateOf(limit: number | null, used: number): QuotaState {
  if (limit === null) return 'free';
  if (used >= limit) return 'reached';
  return used >= WARNED_FRACTION * limit ? 'warned' : 'free';
}

export interface QuotaRejection {
  /** 402 for amounts that are billed, 403 for counts, 413 for a file: see docs/adr/0045-quotas.md. */
  readonly code: Extract<ErrorCode, 'payment_required' | 'forbidden' | 'payload_too_large'>;
  /** Error message, which starts with the limited resource and names the usage or the request, and the limit. */
  readonly message: string;
}

interface QuotaRequest {
  readonly limit: number | null;
  /** Current usage without the requested amount. */
  readonly used: number;
  /** Bytes that are reserved for unfinished uploads, for the quota `storageBytes`. */
  readonly reserved?: number;
  /** Requested amount; 0 for an unknown size, which is allowed while the limit is not reached. */
  readonly requested: number;
}

/** Why a requested amount exceeds a quota; null if it does not. */
export function quotaRejection(name: QuotaName, amount: QuotaRequest): QuotaRejection | null {
  const { limit, used, reserved = 0, requested } = amount;
  if (limit === null) return null;
  const usedTotal = used + reserved;
  const isWithinLimit = requested > 0 ? usedTotal + requested <= limit : usedTotal < limit;
  return isWithinLimit
    ? null
    : { code: errorCodes[name], message: quotaMessages[name]({ ...amount, limit }) };
}

const errorCodes = {
  liveStreams: 'forbidden',
  storageBytes: 'payment_required',
  uploadBytes: 'payload_too_large',
  renditions: 'forbidden',
  viewerBytes: 'payment_required',
} as const satisfies Record<QuotaName, QuotaRejection['code']>;

type QuotaMessage = (amount: QuotaRequest & { readonly limit: number }) => string;

const quotaMessages: Readonly<Record<QuotaName, QuotaMessage>> = {
  liveStreams: ({ limit, used }) =>
    `live streams: ${used} of ${limit} are live. End one, or ask the operator of this service for more.`,
  storageBytes: ({ limit, used, reserved = 0, requested }) => {
    const reservedText = reserved > 0 ? `, and ${formatSize(reserved)} are arriving` : '';
    const fileText = requested > 0 ? `; this file has ${formatSize(requested)}` : '';
    return `storage: ${formatSize(used)} of ${formatSize(limit)} are used${reservedText}${fileText}. Delete assets, or ask the operator of this service for more.`;
  },
  uploadBytes: ({ limit, requested }) =>
    `upload: ${formatSize(requested)} are more than the limit of ${formatSize(limit)} for one file`,
  renditions: ({ limit, requested }) =>
    `profiles: ${requested} are more than the limit of ${limit} renditions for one stream`,
  viewerBytes: ({ limit, used }) =>
    `viewers: ${formatSize(used)} of ${formatSize(limit)} were delivered this month. Playback continues next month, or when the operator of this service raises the limit.`,
};

const units = ['bytes', 'kB', 'MB', 'GB', 'TB', 'PB'] as const;

/** Formats a size with up to three digits and a decimal unit, such as "10.2 GB". */
export function formatSize(bytes: number): string {
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const value = bytes / 1_000 ** power;
  const digits = power === 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return `${Number(value.toFixed(digits))} ${units[power] ?? 'bytes'}`;
}

/** The first day of the month of `date`, both as `2026-01-31`. */
export const monthStart = (date: string): string => `${date.slice(0, 7)}-01`;
