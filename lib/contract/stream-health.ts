import { z } from 'zod';
import { defineEndpoint } from './define-endpoint';
import { idParams, timestamp, uuid } from './primitives';

const rate = z.int().min(0).meta({ description: 'Bits a second.' });

const healthSample = z
  .object({
    at: timestamp,
    sessionId: uuid,
    bitrate: rate,
    videoBitrate: rate,
    audioBitrate: rate,
    video: z
      .object({ codec: z.string(), width: z.int(), height: z.int() })
      .nullable()
      .meta({ description: 'Null without a picture.' }),
    audio: z
      .object({ codec: z.string(), sampleRate: z.int(), channels: z.int() })
      .nullable()
      .meta({ description: 'Null without sound.' }),
    fps: z.number().nullable(),
    keyframeInterval: z.number().nullable().meta({ description: 'Seconds, the longest of late.' }),
    reorder: z.int().meta({ description: 'Milliseconds that B-frames hold pictures back.' }),
    jumps: z.int().meta({ description: 'How often time stamps jumped.' }),
    drift: z
      .int()
      .nullable()
      .meta({ description: 'Milliseconds that sound is later, against the picture, than it was at first.' }),
    speed: z.number().meta({ description: 'Media time that arrived against real time; 1 keeps up.' }),
    transcodeSpeed: z
      .number()
      .nullable()
      .meta({ description: 'The slowest rendition against the source; null without renditions.' }),
  })
  .meta({ id: 'StreamHealthSample' });

export type StreamHealthSample = z.output<typeof healthSample>;

const streamHealth = z
  .object({
    isActive: z.boolean(),
    isHealthy: z.boolean().nullable(),
    issues: z.array(z.string()).nullable().meta({
      description: 'What is wrong and what to do about it. "Hint: …" leaves the stream healthy.',
    }),
    latest: healthSample.nullable().meta({ description: 'What is now; null unless media arrives.' }),
    from: timestamp,
    to: timestamp,
    interval: z.int().meta({ description: 'Milliseconds that one sample stands for.' }),
    samples: z.array(healthSample).meta({
      description:
        'The oldest first. Where one stands for several: means, and the worst of what is to be low.',
    }),
  })
  .meta({ id: 'StreamHealth' });

export type StreamHealthObject = z.output<typeof streamHealth>;

const number = (digits: number, says: string, description: string) =>
  z
    .string()
    .regex(new RegExp(`^[1-9][0-9]{0,${digits - 1}}$`), { error: says })
    .exactOptional()
    .meta({ description });

const when = (description: string) => number(15, 'must be Unix time in milliseconds', description);

const sampleExample: StreamHealthSample = {
  at: 1_767_225_605_000,
  sessionId: '5b0f8c1e-2f0a-4a53-9d0f-1c4b8a7e6d21',
  bitrate: 3_128_000,
  videoBitrate: 3_000_000,
  audioBitrate: 128_000,
  video: { codec: 'h264', width: 1280, height: 720 },
  audio: { codec: 'aac', sampleRate: 48_000, channels: 2 },
  fps: 30,
  keyframeInterval: 8,
  reorder: 66,
  jumps: 0,
  drift: 3,
  speed: 1,
  transcodeSpeed: null,
};

/** What the live process measures of a publish. */
export const getStreamHealth = defineEndpoint({
  id: 'getStreamHealth',
  method: 'GET',
  path: '/api/stream/{id}/health',
  auth: 'key-or-session',
  corsKeyAllowed: false,
  tag: 'Streams',
  summary: 'Retrieve the health of a stream',
  description:
    'What arrives, measured every 5 seconds, and what is wrong with it, in words. The last ten minutes unless `minutes`, or `from` and `to`, say otherwise. Every sample is kept for 12 hours, one a minute for 7 days.',
  params: idParams,
  query: z.object({
    minutes: number(5, 'must be a number of minutes, 1 to 10080', 'The last minutes, up to 10080 (7 days).'),
    from: when('Instead of `minutes`: Unix time in milliseconds.'),
    to: when('Unix time in milliseconds; now when left out.'),
    points: number(4, 'must be 1 to 1000', 'Samples at most, up to 1000; 240 when left out.'),
  }),
  response: streamHealth,
  status: 200,
  errors: [400],
  example: {
    params: { id: 'f3a1c7de-93b8-4d26-9a55-2f5c2d4a7b10' },
    response: {
      isActive: true,
      isHealthy: false,
      issues: ['Keyframes every 8 s: set OBS Keyframe Interval to 2 s'],
      latest: sampleExample,
      from: 1_767_225_005_000,
      to: 1_767_225_605_000,
      interval: 5_000,
      samples: [sampleExample],
    },
  },
});
