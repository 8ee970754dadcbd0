import { z } from 'zod';
import { timestamp } from '@/lib/contract/primitives';
import { maxFallbackMs, maxSlateSeconds, minFallbackMs } from '@/lib/core/streams/encoder-loss';
import { programInputs } from '@/lib/core/streams/program-state';

const milliseconds = z.int().min(0);

const encoder = z
  .object({
    connectedAt: timestamp,
    bitrate: z.number().min(0).meta({ description: 'Video and audio together, bit/s.' }),
    width: z.int().nullable(),
    height: z.int().nullable(),
    fps: z.number().nullable(),
    silentMs: milliseconds.meta({ description: 'Milliseconds since its last media, when it was reported.' }),
  })
  .meta({ id: 'ProgramEncoder' });

/** The inputs of a live stream and the one on air. */
export const program = z
  .object({
    input: z.enum(programInputs).nullable().meta({ description: 'The input on air. Null: none is.' }),
    since: timestamp.meta({ description: 'When `input` went on air.' }),
    byHand: z.boolean().meta({ description: 'It was chosen with `POST /api/stream/{id}/switch`.' }),
    primary: encoder
      .nullable()
      .meta({ description: 'The encoder with the stream key. Null: not connected.' }),
    standby: encoder.nullable().meta({ description: 'The second encoder. Null: not connected.' }),
    reportedAt: timestamp.nullable().meta({
      description:
        'When the live node said this: at each change, and every 2 seconds while two encoders are connected.',
    }),
  })
  .meta({ id: 'Program' });

export type Program = z.output<typeof program>;
export type ProgramEncoder = z.output<typeof encoder>;

const slateSeconds = z.int().min(1).max(maxSlateSeconds);
const fallbackAfterMs = z.int().min(minFallbackMs).max(maxFallbackMs);

/** Settings for the loss of the encoder, in a stream object. */
export const encoderLoss = {
  backup: z.boolean().meta({ description: 'A second encoder may stand by.' }),
  slate: z.boolean().meta({ description: 'A still picture takes the place of an encoder that is away.' }),
  slateSeconds: slateSeconds.nullable().meta({ description: 'Null: the reconnect window.' }),
  recordSlate: z.boolean().meta({ description: 'The slate is kept in recordings.' }),
  fallbackAfterMs,
};

/** Settings for the loss of the encoder, in a request. */
export const encoderLossInput = {
  backup: z.boolean().exactOptional().meta({
    description:
      'A second encoder may publish and stands by. It uses `backupStreamKey`, or the stream key again. False disconnects an encoder with the backup key. Default: false.',
  }),
  slate: z.boolean().exactOptional().meta({
    description:
      'While no encoder sends, viewers, targets and renditions get a still picture with silence. Default: false.',
  }),
  slateSeconds: slateSeconds.nullable().exactOptional().meta({
    description:
      'How long the slate is shown at most while no encoder is connected. Null or never set: the reconnect window. A slate that was chosen by hand stays while the encoder is connected.',
  }),
  recordSlate: z
    .boolean()
    .exactOptional()
    .meta({ description: 'Keep the slate in recordings. False leaves it out. Default: false.' }),
  fallbackAfterMs: fallbackAfterMs.exactOptional().meta({
    description:
      'An encoder that stays connected but sends nothing for this long counts as away, in milliseconds. Default: 3000.',
  }),
};

export const switchBody = z.strictObject({
  to: z.enum(programInputs).meta({
    description: 'The input to put on air. It stays until it is away or another one is chosen.',
  }),
});

/** The keys of a stream. */
const streamKeyNames = ['primary', 'backup', 'both'] as const;

export const rotateKeyBody = z.strictObject({
  key: z
    .enum(streamKeyNames)
    .default('primary')
    .meta({ description: 'The key to replace: `streamKey` (primary), `backupStreamKey` (backup), or both.' }),
});
