import type { Quotas } from '@/lib/core/quotas/quota';
import { wholeNumber, type Values } from './variable-types';

/** An optional limit, from 0. */
const quotaLimit = (unit: string) => wholeNumber(unit, { min: 0, max: Number.MAX_SAFE_INTEGER }).optional();

export const quotaVariables = {
  QUOTA_LIVE_STREAMS: quotaLimit('streams').meta({
    defaultText: 'no limit',
    description: '[quota](#quotas) of each team: live streams at the same time',
  }),
  QUOTA_STORAGE_BYTES: quotaLimit('bytes').meta({
    defaultText: 'no limit',
    description: 'quota of each team: stored bytes',
  }),
  QUOTA_UPLOAD_BYTES: quotaLimit('bytes').meta({
    defaultText: 'no limit',
    description: 'quota of each team: bytes of one file, at most `MAX_UPLOAD_BYTES`',
  }),
  QUOTA_RENDITIONS: quotaLimit('renditions').meta({
    defaultText: 'no limit',
    description: 'quota of each team: renditions of one stream',
  }),
  QUOTA_VIEWER_BYTES_PER_MONTH: quotaLimit('bytes').meta({
    defaultText: 'no limit',
    description: 'quota of each team: bytes delivered to viewers in a calendar month (UTC)',
  }),
};

/** Default limits of teams. */
export const quotaDefaults = (values: Values<typeof quotaVariables>): Quotas => ({
  liveStreams: values.QUOTA_LIVE_STREAMS ?? null,
  storageBytes: values.QUOTA_STORAGE_BYTES ?? null,
  uploadBytes: values.QUOTA_UPLOAD_BYTES ?? null,
  renditions: values.QUOTA_RENDITIONS ?? null,
  viewerBytes: values.QUOTA_VIEWER_BYTES_PER_MONTH ?? null,
});
