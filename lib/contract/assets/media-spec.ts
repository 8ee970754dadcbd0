import { z } from 'zod';

/** A digest of the whole file. */
export const fileHash = z.object({
  hash: z.string(),
  algorithm: z.string().meta({ description: 'md5 or sha256.' }),
});

const seconds = z.number().min(0).meta({ description: 'Seconds.' });
const bitsPerSecond = z.number().min(0).meta({ description: 'Bits per second.' });

const language = z.string().meta({ description: 'Language tag of the file (BCP 47), for example en.' });

const videoTrack = z.object({
  type: z.literal('video'),
  codec: z.string(),
  fps: z.number().min(0),
  width: z.int().min(0),
  height: z.int().min(0),
  bitrate: bitsPerSecond,
  duration: seconds,
  pixelFormat: z.string(),
});

const audioTrack = z.object({
  type: z.literal('audio'),
  codec: z.string(),
  bitrate: bitsPerSecond,
  channels: z.int().min(0),
  duration: seconds,
  sampleRate: z.int().min(0),
  language: language.exactOptional(),
});

/** The container and tracks of a video file. */
export const videoSpec = z
  .object({
    format: z.string().meta({ description: 'Container, for example mp4.' }),
    duration: seconds,
    bitrate: bitsPerSecond.exactOptional(),
    tracks: z.array(z.discriminatedUnion('type', [videoTrack, audioTrack])),
    otherAudio: z
      .array(z.object({ language: language.exactOptional() }))
      .exactOptional()
      .meta({ description: 'Audio tracks of the file that are not played. Absent if there are none.' }),
  })
  .meta({ id: 'VideoSpec' });

export type VideoSpec = z.output<typeof videoSpec>;
