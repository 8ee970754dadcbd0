import { z } from 'zod';
import { stallCauses } from '@/lib/core/audience/explain-stall';
import { defineEndpoint } from '@/lib/contract/define-endpoint';
import { timestamp, uuid } from '@/lib/contract/primitives';

const count = z.int().min(0);
/** Milliseconds; null if no view was measured. */
const nullableMs = z.number().min(0).nullable();
const share = z.number().min(0).max(1);

/** Values of one property of the views with their shares, for example countries. */
const rankedShares = z
  .array(z.object({ name: z.string(), share: share.meta({ description: 'Share of the played time.' }) }))
  .meta({ description: 'Largest first, at most 10.' });

const watchedObject = z.object({ type: z.enum(['stream', 'session', 'asset']), id: uuid, name: z.string() });

const audience = z
  .object({
    measured: z
      .boolean()
      .meta({ description: 'False: the team or the server does not accept player reports.' }),
    from: timestamp,
    to: timestamp,
    step: z.int().meta({ description: 'Duration of one point in milliseconds.' }),
    viewers: count.meta({ description: 'Viewers now.' }),
    peak: count.meta({ description: 'Maximum number of concurrent viewers.' }),
    peakAt: timestamp.nullable(),
    views: count,
    playedMinutes: z.number().min(0),
    startupMs: z.object({ half: nullableMs, most: nullableMs }).meta({
      description:
        'Time to the first frame, in milliseconds: `half` is the median of the views, `most` their 95th percentile.',
    }),
    latencyMs: z.object({ half: nullableMs, most: nullableMs }).meta({
      description:
        'Delay of live viewers, in milliseconds: `half` is the median, `most` the 95th percentile.',
    }),
    stalledShare: share.meta({ description: 'Duration of all stalls, as a share of the watch time.' }),
    stalls: count,
    stalledViews: count.meta({
      description: 'Views that stalled. A view that stalled in several minutes counts in each.',
    }),
    failures: count,
    left: count.meta({ description: 'Viewers who left before the first frame.' }),
    points: z.array(
      z.object({
        at: timestamp,
        viewers: z.number().min(0),
        views: count,
        startupHalfMs: nullableMs,
        startupMostMs: nullableMs,
        stalledShare: share,
        bitrate: z.number().nullable().meta({
          description: 'Bits per second received from the encoder; null without measurements.',
        }),
      }),
    ),
    incidents: z
      .array(
        z.object({
          from: timestamp,
          to: timestamp,
          cause: z.enum(stallCauses),
          measure: z.number().nullable().meta({
            description:
              'Measurement that shows the cause: milliseconds, or the ratio to real time for slow encoders.',
          }),
          stalledMs: z.number().min(0),
          stalledViews: count,
          viewers: count,
          object: watchedObject.nullable().meta({
            description: 'The stream, session or asset; null with a filter, or once it is deleted.',
          }),
        }),
      )
      .meta({
        description: 'Periods with the most stalled time, and their cause; at most 8, oldest first.',
      }),
    causes: z.array(
      z.object({
        cause: z.enum(stallCauses),
        share: share.meta({ description: 'Share of the time that viewers spent in stalls.' }),
      }),
    ),
    heights: rankedShares,
    countries: rankedShares,
    devices: rankedShares,
    players: rankedShares,
    top: z
      .array(watchedObject.extend({ views: count, playedMinutes: z.number().min(0) }))
      .meta({ description: 'The most watched streams and assets; only without a filter.' }),
  })
  .meta({ id: 'Audience' });

export type Audience = z.output<typeof audience>;
export type Incident = Audience['incidents'][number];

/** Numbers of the minute in the example, in which all 96 viewers stalled for one second each. */
const exampleIncidentNumbers = { stalledMs: 96_000, stalledViews: 96, viewers: 96, object: null };

/** Endpoint with the data of the audience pages. The Studio API does not have it. */
export const getAudience = defineEndpoint({
  id: 'getAudience',
  method: 'GET',
  path: '/api/data/audience',
  auth: 'key-or-session',
  corsKeyAllowed: false,
  tag: 'Playback',
  summary: 'Retrieve an audience',
  description:
    'Playback quality in the last minutes: of one stream, session or asset, or of all of them. A session includes its live viewers and those of its recording, and covers its own time by default. Only players that report are counted.',
  query: z.object({
    streamId: uuid.exactOptional(),
    sessionId: uuid.exactOptional(),
    assetId: uuid.exactOptional(),
    minutes: z
      .string()
      .regex(/^\d{1,6}$/, { error: 'must be a whole number' })
      .exactOptional()
      .meta({ description: 'Minutes until now: 1 to 525600. Default: 60; for a session, its own time.' }),
  }),
  response: audience,
  status: 200,
  errors: [404],
  example: {
    response: {
      measured: true,
      from: 1_769_860_800_000,
      to: 1_769_864_400_000,
      step: 60_000,
      viewers: 212,
      peak: 240,
      peakAt: 1_769_862_600_000,
      views: 268,
      playedMinutes: 8_120.5,
      startupMs: { half: 900, most: 2_600 },
      latencyMs: { half: 2_400, most: 6_100 },
      stalledShare: 0.008,
      stalls: 131,
      stalledViews: 124,
      failures: 2,
      left: 1,
      points: [
        {
          at: 1_769_860_800_000,
          viewers: 96,
          views: 96,
          startupHalfMs: 900,
          startupMostMs: 2_600,
          stalledShare: 0.25,
          bitrate: 6_100_000,
        },
      ],
      incidents: [
        {
          from: 1_769_860_800_000,
          to: 1_769_860_860_000,
          cause: 'encoder_silent',
          measure: 48_000,
          ...exampleIncidentNumbers,
        },
      ],
      causes: [{ cause: 'encoder_silent', share: 1 }],
      heights: [{ name: '1080', share: 0.61 }],
      countries: [{ name: 'DE', share: 1 }],
      devices: [{ name: 'mobile', share: 1 }],
      players: [{ name: 'safari', share: 1 }],
      top: [],
    },
  },
});
