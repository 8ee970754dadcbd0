import { z } from 'zod';
import { mediaPolicies } from '@/lib/core/media/media-policy';
import { DAY_SECONDS } from '@/lib/core/units';
import { filePath, httpUrl, onOff, wholeNumber } from './variable-types';

/** Streams, assets and their viewers. */
export const mediaVariables = {
  SESSION_RECONNECT_SECONDS: wholeNumber('seconds', { max: DAY_SECONDS })
    .default(360)
    .describe('an encoder that reconnects within this time continues its session'),
  ACCEPT_MEDIA: z
    .enum(mediaPolicies, { error: 'mp4, convert or any' })
    .default('convert')
    .describe(
      '`convert`: files that are not MP4 with H.264 and AAC are [converted](#other-media-files) if the request has `convert: true`, as requests of the dashboard do; `mp4`: always rejected; `any`: always converted',
    ),
  MAX_UPLOAD_BYTES: wholeNumber('bytes', { max: 2 ** 42 })
    .default(5 * 2 ** 30)
    .describe('largest file that can be uploaded or imported; by default 5 GiB'),
  VIEWER_REPORTS: onOff
    .default(true)
    .describe(
      '`on`: players may [report how playback goes](audience.md); `off`: reports are rejected with 410, and nothing is measured',
    ),
  GEOIP_DB: filePath
    .optional()
    .describe(
      'path of a country database (`.mmdb`): with it, viewers can be [limited to countries](#countries)',
    ),
  WEBHOOK_RETRY_BASE_MS: wholeNumber('milliseconds', { max: 600_000 })
    .default(5_000)
    .describe(
      'milliseconds from a failed delivery to the second attempt; all twelve attempts are within 180 times this value (15 minutes)',
    ),
  IPFS_PINNING_URL: httpUrl
    .default('https://api.pinata.cloud')
    .describe('pinning service for IPFS exports with credentials'),
  IPFS_API_URL: httpUrl
    .optional()
    .describe(
      'API of a Kubo node, for example `http://127.0.0.1:5001`: files exported to IPFS without credentials are added and pinned there too; a private address must be in `EGRESS_ALLOW_CIDRS`',
    ),
};
