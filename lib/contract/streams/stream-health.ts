import { z } from 'zod';
import { defineEndpoint } from '@/lib/contract/define-endpoint';
import { idParams, timestamp, uuid } from '@/lib/contract/primitives';
import { reasons } from '@/lib/contract/reason';

const rate = z.int().min(0).meta({ description: 'Bits per second.' });

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
      .meta({ description: 'Null without video.' }),
    audio: z
      .object({ codec: z.string(), sampleRate: z.int(), channels: z.int() })
      .nullable()
      .meta({ description: 'Null without audio.' }),
    fps: z.number().nullable(),
    keyframeInterval: z.number().nullable().meta({ description: 'The longest recent interval, in seconds.' }),
    reorder: z.int().meta({ description: 'Delay caused by B-frames, in milliseconds.' }),
    jumps: z.int().meta({ description: 'Number of timestamp jumps.' }),
    drift: z.int().nullable().meta({
      description: "Growth of the audio's delay behind the video since the start, in milliseconds.",
    }),
    speed: z.number().meta({ description: 'Ratio of received media time to real time. 1 = real time.' }),
    transcodeSpeed: z.number().nullable().meta({
      description: 'Speed of the slowest rendition relative to the source. Null without renditions.',
    }),
    silence: z.int().nullable().meta({
      description:
        'Longest time without media, in milliseconds. It may have begun before the sample. Null in older samples.',
    }),
    lateness: z.int().nullable().meta({
      description:
        'How much later than due the media was published, at worst, in milliseconds. Null if none was published.',
    }),
  })
  .meta({ id: 'StreamHealthSample' });

export type StreamHealthSample = z.output<typeof healthSample>;

const streamHealth = z
  .object({
    isActive: z.boolean(),
    isHealthy: z.boolean().nullable(),
    issues: z.array(z.string()).nullable().meta({
      description: 'Problems and how to fix them. "Hint: …" does not make the stream unhealthy.',
    }),
    issueReasons: reasons.exactOptional(),
    latest: healthSample.nullable().meta({ description: 'The current sample. Null without media.' }),
    from: timestamp,
    to: timestamp,
    interval: z.int().meta({ description: 'Milliseconds covered by one sample.' }),
    samples: z.array(healthSample).meta({
      description:
        'Oldest first. A sample that covers several measurements has their average, or the worst value if low is good.',
    }),
  })
  .meta({ id: 'StreamHealth' });

export type StreamHealthObject = z.output<typeof streamHealth>;

const digitsParameter = (digits: number, message: string, description: string) =>
  z
    .string()
    .regex(new RegExp(`^[1-9][0-9]{0,${digits - 1}}$`), { error: message })
    .exactOptional()
    .meta({ description });

const timeParameter = (description: string) =>
  digitsParameter(15, 'must be Unix time in milliseconds', description);

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
  silence: 34,
  lateness: 40,
};

/** Endpoint with the health of a stream, which the live process measures. */
export const getStreamHealth = defineEndpoint({
  id: 'getStreamHealth',
  method: 'GET',
  path: '/api/stream/{id}/health',
  auth: 'key-or-session',
  corsKeyAllowed: false,
  tag: 'Streams',
  summary: 'Retrieve the health of a stream',
  description:
    'Measurements of the incoming stream, taken every 5 seconds, and its problems. Covers the last ten minutes by default; use `minutes`, or `from` and `to`, for another range. Samples are kept for 12 hours, then one per minute for 7 days.',
  params: idParams,
  query: z.object({
    minutes: digitsParameter(
      5,
      'must be a number of minutes, 1 to 10080',
      'Number of minutes back from now, up to 10080 (7 days).',
    ),
    from: timeParameter('Instead of `minutes`: Unix time in milliseconds.'),
    to: timeParameter('Unix time in milliseconds. Default: now.'),
    points: digitsParameter(4, 'must be 1 to 1000', 'Maximum number of samples, up to 1000. Default 240.'),
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
