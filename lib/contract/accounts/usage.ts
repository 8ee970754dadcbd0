import { z } from 'zod';
import { defineEndpoint } from '@/lib/contract/define-endpoint';
import { idParams, uuid } from '@/lib/contract/primitives';
import { assetId } from '@/lib/contract/assets/asset-examples';

const bytes = z.int().min(0);
const minutes = z.number().min(0);
const deliveredBytes = bytes.meta({
  description:
    'Delivered to viewers: live streams, recordings and assets. Traffic that a CDN serves from its cache is not included.',
});
const deliveredMinutes = minutes.meta({
  description:
    'Minutes of delivered media. If a file was delivered in part, its minutes count in proportion to the bytes.',
});

/** Stored media of a team, and its ingested and delivered media by day. */
export const usage = z
  .object({
    storage: z
      .object({
        bytes: bytes.meta({ description: 'Sum of the following.' }),
        assets: bytes.meta({
          description: 'Uploaded, imported and transcoded files, with the files generated from them.',
        }),
        recordings: bytes.meta({ description: 'Assets of recorded sessions, and sessions being recorded.' }),
        dvr: bytes.meta({
          description:
            'DVR segments of unrecorded live streams, estimated. They are deleted when the stream ends.',
        }),
        deleted: bytes.meta({ description: 'Deleted assets, which can be restored for seven days.' }),
      })
      .meta({ description: 'Bytes stored now.' }),
    days: z
      .array(
        z.object({
          date: z.iso.date().meta({ description: 'A day in UTC.' }),
          ingestedMinutes: minutes.meta({ description: 'Of live streams.' }),
          transcodedMinutes: minutes.meta({ description: 'Of live renditions and transcoded assets.' }),
          importedMinutes: minutes.meta({ description: 'Of uploads and imports that became ready.' }),
          deliveredBytes,
          deliveredMinutes,
        }),
      )
      .meta({ description: 'Every day of the requested range, oldest first.' }),
    streams: z
      .array(
        z.object({
          id: uuid,
          name: z.string(),
          deleted: z.boolean(),
          ingestedMinutes: minutes,
          transcodedMinutes: minutes.meta({ description: 'Of its live renditions.' }),
          deliveredBytes,
          deliveredMinutes,
        }),
      )
      .meta({
        description:
          'The 100 streams that received the most media in this range, busiest first, including streams that were only watched.',
      }),
  })
  .meta({ id: 'Usage' });

export type Usage = z.output<typeof usage>;

const dayParameter = z.iso
  .date({ error: 'must be a day, for example 2026-01-31' })
  .refine((date) => date >= '1970-01-01', { error: 'must not be before 1970' })
  .exactOptional();

const dayRangeQuery = z.object({
  from: dayParameter.meta({
    description: 'First day, UTC. Default: 29 days before `to`.',
    example: '2026-01-01',
  }),
  to: dayParameter.meta({
    description: 'Last day, UTC. Default: today. At most 366 days.',
    example: '2026-01-31',
  }),
});

/** Endpoint with the data of the usage page. The Studio API does not have it. */
export const getUsage = defineEndpoint({
  id: 'getUsage',
  method: 'GET',
  path: '/api/user/usage',
  auth: 'key-or-session',
  corsKeyAllowed: false,
  tag: 'Account',
  summary: 'Retrieve usage',
  description:
    'Bytes stored now, and minutes and bytes delivered per day. A session that lasts past midnight is split between its days. Each rendition counts separately: one minute in three renditions is three transcoded minutes. Delivery data is kept for 400 days.',
  query: dayRangeQuery,
  response: usage,
  status: 200,
  errors: [],
  example: {
    response: {
      storage: { bytes: 7_340_032, assets: 5_242_880, recordings: 2_097_152, dvr: 0, deleted: 0 },
      days: [
        {
          date: '2026-01-31',
          ingestedMinutes: 61.5,
          transcodedMinutes: 184.5,
          importedMinutes: 12,
          deliveredBytes: 921_600_000,
          deliveredMinutes: 615,
        },
      ],
      streams: [
        {
          id: '9c1d2e3f-8a43-4d6e-9f0b-1c2d3e4f5a6b',
          name: 'Town hall',
          deleted: false,
          ingestedMinutes: 61.5,
          transcodedMinutes: 184.5,
          deliveredBytes: 921_600_000,
          deliveredMinutes: 615,
        },
      ],
    },
  },
});

const viewCount = z.int().min(0).meta({ description: 'Number of started views.' });

/** Views and delivered media of one asset. */
export const assetUsage = z
  .object({
    views: viewCount,
    deliveredBytes,
    deliveredMinutes,
    days: z
      .array(z.object({ date: z.iso.date(), views: viewCount, deliveredBytes, deliveredMinutes }))
      .meta({ description: 'Days in UTC on which the asset was watched, oldest first.' }),
  })
  .meta({ id: 'AssetUsage' });

export type AssetUsage = z.output<typeof assetUsage>;

export const getAssetUsage = defineEndpoint({
  id: 'getAssetUsage',
  method: 'GET',
  path: '/api/asset/{id}/usage',
  auth: 'key-or-session',
  corsKeyAllowed: false,
  tag: 'Assets',
  summary: 'Retrieve views and watch time',
  description:
    'Views of the asset, and the minutes and bytes of it delivered to viewers, in total and per day. A view is counted, without cookies, when a player loads the master playlist or the start of the MP4; requests with the same IP address and user agent within 30 minutes are the same view. Downloads and the player of the dashboard do not count. Data per day is kept for 400 days. The asset object has the totals since its creation.',
  params: idParams,
  query: dayRangeQuery,
  response: assetUsage,
  status: 200,
  errors: [],
  example: {
    params: { id: assetId },
    response: {
      views: 82,
      deliveredBytes: 921_600_000,
      deliveredMinutes: 615,
      days: [{ date: '2026-01-31', views: 82, deliveredBytes: 921_600_000, deliveredMinutes: 615 }],
    },
  },
});

export const usageEndpoints = [getUsage, getAssetUsage] as const;
