import { z } from 'zod';
import { defineEndpoint } from '@/lib/contract/define-endpoint';
import { text, uuid } from '@/lib/contract/primitives';

/** Endpoints with the number and quality of views, in the response formats of the Studio API (docs/walks.md). */

const share = z.number().min(0).max(1);
const dimensions = {
  playbackId: z.string().exactOptional(),
  creatorId: z.string().exactOptional().meta({ description: 'Only with the filter `creatorId`.' }),
  country: z
    .string()
    .exactOptional()
    .meta({ description: 'ISO 3166-1 alpha-2. Requires GEOIP_DB on the server.' }),
  device: z.string().exactOptional().meta({ description: 'desktop, mobile, tablet, tv or other.' }),
  deviceType: z.string().exactOptional().meta({ description: 'Equal to `device`.' }),
  browser: z
    .string()
    .exactOptional()
    .meta({ description: 'The player, for example chrome, safari or exoplayer.' }),
};

const viewershipNow = z
  .object({
    ...dimensions,
    viewCount: z.int().min(0).meta({ description: 'Viewers now.' }),
    errorRate: share.meta({ description: 'Failures per view in the last two minutes, at most 1.' }),
  })
  .meta({ id: 'ViewershipNow' });

const viewership = z
  .object({
    ...dimensions,
    timestamp: z
      .int()
      .exactOptional()
      .meta({ description: 'Start of the time step (UTC), Unix milliseconds. Only with `timeStep`.' }),
    viewCount: z.int().min(0).meta({ description: 'Number of started views.' }),
    playtimeMins: z.number().min(0),
    ttffMs: z
      .number()
      .min(0)
      .exactOptional()
      .meta({ description: 'Mean time to the first frame. Absent if no view started.' }),
    rebufferRatio: share.meta({ description: 'Duration of all stalls, as a share of the watch time.' }),
    errorRate: share.meta({ description: 'Failures per view, at most 1.' }),
    exitsBeforeStart: z
      .number()
      .min(0)
      .max(100)
      .meta({ description: 'Percentage of views that ended before the first frame.' }),
  })
  .meta({ id: 'Viewership' });

export type ViewershipNow = z.output<typeof viewershipNow>;
export type Viewership = z.output<typeof viewership>;

const timeSteps = ['hour', 'day', 'week', 'month', 'year'] as const;
/** Fields by which views can be broken down. */
export const breakdowns = ['playbackId', 'country', 'device', 'deviceType', 'browser'] as const;
export type Breakdown = (typeof breakdowns)[number];

const breakdownBy = z
  .array(z.enum(breakdowns, { error: `must be one of ${breakdowns.join(', ')}` }))
  .max(2)
  .refine((fields) => fields.filter((field) => field !== 'playbackId').length <= 1, {
    error: 'must be playbackId, one other, or both: sums of a country and a device are not kept together',
  })
  .meta({
    description:
      'One row for each playback id, for each country, device, deviceType or browser, or for each combination of both. Repeat the parameter for a second breakdown.',
  });

const timeParameter = z
  .union([z.iso.datetime({ offset: true }), z.string().regex(/^\d{1,15}$/)], {
    error: 'must be a Unix time in milliseconds, or a time such as 2026-01-31T12:00:00Z',
  })
  .exactOptional();

const format = z
  .enum(['json', 'csv'])
  .exactOptional()
  .meta({ description: '`csv`: comma-separated values, as with `Accept: text/csv`.' });

const playbackIdFilter = z
  .string()
  .max(64)
  .exactOptional()
  .meta({ description: 'Playback id of a stream or an asset, or the id of a recorded session.' });
const creatorIdFilter = text(500, 1)
  .exactOptional()
  .meta({ description: 'Your own ID for the user who created the stream or asset.' });

const commonQueryParameters = {
  from: timeParameter.meta({ description: 'Start. Default: a day before `to`.' }),
  to: timeParameter.meta({ description: 'End (exclusive). Default: now. At most 400 days.' }),
  timeStep: z.enum(timeSteps).exactOptional().meta({
    description: 'One row for each time step (UTC). Data older than 90 days is only kept per day.',
  }),
  assetId: uuid.exactOptional(),
  streamId: uuid.exactOptional().meta({ description: 'A stream includes its recordings.' }),
  creatorId: creatorIdFilter,
  'breakdownBy[]': breakdownBy.exactOptional(),
  format,
};

const commonFields = {
  method: 'GET',
  auth: 'key-or-session',
  corsKeyAllowed: false,
  tag: 'Playback',
  status: 200,
  errors: [],
  csv: true,
} as const;

const coverageText =
  'Only players that report are counted (see the documentation, “Audience”). Data is written every five seconds.';
const examplePlaybackId = 'f3a1h2v9c8x7m6n5';
const exampleRow = {
  viewCount: 340,
  playtimeMins: 1_265.5,
  ttffMs: 812,
  rebufferRatio: 0.008,
  errorRate: 0.006,
  exitsBeforeStart: 1.5,
};

export const getViewershipNow = defineEndpoint({
  ...commonFields,
  id: 'getViewershipNow',
  path: '/api/data/views/now',
  summary: 'Retrieve current viewers',
  description: `Current viewers. ${coverageText}`,
  query: z.object({
    playbackId: playbackIdFilter,
    creatorId: creatorIdFilter,
    'breakdownBy[]': breakdownBy.exactOptional(),
    format,
  }),
  response: z.array(viewershipNow),
  example: { response: [{ playbackId: examplePlaybackId, viewCount: 212, errorRate: 0 }] },
});

export const getViewership = defineEndpoint({
  ...commonFields,
  id: 'getViewership',
  path: '/api/data/views/query',
  summary: 'Query views',
  description: `Number and quality of views. ${coverageText}`,
  query: z.object({ playbackId: playbackIdFilter, ...commonQueryParameters }),
  response: z.array(viewership),
  example: { response: [{ timestamp: 1_769_817_600_000, ...exampleRow }] },
});

export const getCreatorViewership = defineEndpoint({
  ...commonFields,
  id: 'getCreatorViewership',
  path: '/api/data/views/query/creator',
  summary: 'Query views of a creator',
  description: `Like the query of views, without the filter by playback id. ${coverageText}`,
  query: z.object(commonQueryParameters),
  response: z.array(viewership),
  example: { response: [exampleRow] },
});

export const viewershipEndpoints = [getViewershipNow, getViewership, getCreatorViewership] as const;
