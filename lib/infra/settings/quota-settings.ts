import type { Quotas } from '@/lib/core/quotas/quota';
import { wholeNumber, type Values } from './variable-types';

const limit = (unit: string) => wholeNumber(unit, Number.MAX_SAFE_INTEGER, 0).optional();

export const quotaVariables = {
  QUOTA_LIVE_STREAMS: limit('streams').meta({
    defaultText: 'no limit',
    description: '[quota](#quotas) of each team: live streams at the same time',
  }),
  QUOTA_STORAGE_BYTES: limit('bytes').meta({
    defaultText: 'no limit',
    description: 'quota of each team: stored bytes',
  }),
  QUOTA_UPLOAD_BYTES: limit('bytes').meta({
    defaultText: 'no limit',
    description: 'quota of each team: bytes of one file, at most `MAX_UPLOAD_BYTES`',
  }),
  QUOTA_RENDITIONS: limit('renditions').meta({
    defaultText: 'no limit',
    description: 'quota of each team: renditions of one stream',
  }),
  QUOTA_VIEWER_BYTES_PER_MONTH: limit('bytes').meta({
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
