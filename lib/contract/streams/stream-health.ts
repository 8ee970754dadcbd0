import { z } from 'zod';
import { defineEndpoint } from '@/lib/contract/define-endpoint';
import { idParams, timestamp, uuid } from '@/lib/contract/primitives';
import { reasons } from '@/lib/contract/reason';

const bitsPerSecond = z.int().min(0).meta({ description: 'Bits per second.' });

/** Measurements of the incoming stream over one interval. */
const healthSample = z
  .object({
    at: timestamp,
    sessionId: uuid,
    bitrate: bitsPerSecond,
    videoBitrate: bitsPerSecond,
    audioBitrate: bitsPerSecond,
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
    reorder: z.int().meta({
      description: 'Maximum delay between decoding and presentation, caused by B-frames, in milliseconds.',
    }),
    jumps: z.int().meta({ description: 'Number of jumps in the timestamps of the encoder.' }),
    drift: z.int().nullable().meta({
      description:
        'By how much the delay of the audio behind the video has grown since the publish started, in milliseconds. Null if unknown.',
    }),
    speed: z.number().meta({ description: 'Ratio of received media time to real time. 1 = real time.' }),
    transcodeSpeed: z.number().nullable().meta({
      description: 'Speed of the slowest rendition relative to the source. Null without renditions.',
    }),
    silence: z.int().nullable().meta({
      description:
        'Longest time without media, in milliseconds. It may have started before the sample. Null in samples of older versions.',
    }),
    lateness: z.int().nullable().meta({
      description:
        'Maximum delay with which media was published, compared with the schedule of its timestamps, in milliseconds. Null if none was published.',
    }),
  })
  .meta({ id: 'StreamHealthSample' });

export type StreamHealthSample = z.output<typeof healthSample>;

const streamHealth = z
  .object({
    isActive: z.boolean(),
    isHealthy: z
      .boolean()
      .nullable()
      .meta({ description: "Whether the encoder's media has no problems. Null until it is checked." }),
    issues: z.array(z.string()).nullable().meta({
      description: 'Problems and how to fix them. "Hint: …" does not make the stream unhealthy.',
    }),
    issueReasons: reasons
      .exactOptional()
      .meta({ description: 'Reasons of the `issues`, in the same order. Absent if no issue has one.' }),
    latest: healthSample.nullable().meta({ description: 'The newest sample. Null without media.' }),
    from: timestamp,
    to: timestamp,
    interval: z.int().meta({ description: 'Milliseconds covered by one sample.' }),
    samples: z.array(healthSample).meta({
      description:
        'Oldest first. A sample that covers several measurements has their average for bitrates, `fps`, `drift` and `speed`, their sum for `jumps`, and the worst value for the other numbers.',
    }),
  })
  .meta({ id: 'StreamHealth' });

export type StreamHealthObject = z.output<typeof streamHealth>;

/** Schema of a query parameter with a positive whole number of at most `maxDigits` digits. */
const wholeNumberParameter = (maxDigits: number, message: string, description: string) =>
  z
    .string()
    .regex(new RegExp(`^[1-9][0-9]{0,${maxDigits - 1}}$`), { error: message })
    .exactOptional()
    .meta({ description });

const timeParameter = (description: string) =>
  wholeNumberParameter(15, 'must be Unix time in milliseconds', description);

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
    minutes: wholeNumberParameter(
      5,
      'must be a number of minutes, 1 to 10080',
      'Number of minutes back from now, up to 10080 (7 days).',
    ),
    from: timeParameter('Instead of `minutes`: Unix time in milliseconds.'),
    to: timeParameter('Unix time in milliseconds. Default: now.'),
    points: wholeNumberParameter(
      4,
      'must be 1 to 1000',
      'Maximum number of samples, up to 1000. Default 240.',
    ),
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
