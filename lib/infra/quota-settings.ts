import { z } from 'zod';
import type { QuotaName, Quotas } from '@/lib/core/quotas/quota';

/** Environment variable with the default of each quota. */
const quotaVariables = {
  liveStreams: 'QUOTA_LIVE_STREAMS',
  storageBytes: 'QUOTA_STORAGE_BYTES',
  uploadBytes: 'QUOTA_UPLOAD_BYTES',
  renditions: 'QUOTA_RENDITIONS',
  viewerBytes: 'QUOTA_VIEWER_BYTES_PER_MONTH',
} as const satisfies Record<QuotaName, string>;

const wholeNumber = (unit: string) =>
  z.coerce
    .number({ error: `a whole number of ${unit}` })
    .int()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .optional();

/** Environment variables for quotas. */
export const quotaEnvironment = {
  QUOTA_LIVE_STREAMS: wholeNumber('streams'),
  QUOTA_STORAGE_BYTES: wholeNumber('bytes'),
  QUOTA_UPLOAD_BYTES: wholeNumber('bytes'),
  QUOTA_RENDITIONS: wholeNumber('renditions'),
  QUOTA_VIEWER_BYTES_PER_MONTH: wholeNumber('bytes'),
};

type QuotaEnvironment = z.output<z.ZodObject<typeof quotaEnvironment>>;

/** Default limits of teams. */
export function quotaDefaultsOf(settings: QuotaEnvironment): Quotas {
  const limitOf = (name: QuotaName) => settings[quotaVariables[name]] ?? null;
  return {
    liveStreams: limitOf('liveStreams'),
    storageBytes: limitOf('storageBytes'),
    uploadBytes: limitOf('uploadBytes'),
    renditions: limitOf('renditions'),
    viewerBytes: limitOf('viewerBytes'),
  };
}
