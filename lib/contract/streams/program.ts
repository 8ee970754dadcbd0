import { z } from 'zod';
import { timestamp } from '@/lib/contract/primitives';
import { MAX_FALLBACK_MS, MAX_SLATE_SECONDS, MIN_FALLBACK_MS } from '@/lib/core/streams/encoder-loss';
import { programInputs } from '@/lib/core/streams/program-state';

const milliseconds = z.int().min(0);

/** An encoder that is connected to a live stream. */
const programEncoder = z
  .object({
    connectedAt: timestamp,
    bitrate: z.number().min(0).meta({ description: 'Bits per second of video and audio.' }),
    width: z.int().nullable(),
    height: z.int().nullable(),
    fps: z.number().nullable(),
    silentMs: milliseconds.meta({ description: 'Milliseconds without media at the time of the report.' }),
  })
  .meta({ id: 'ProgramEncoder' });

/** The inputs of a live stream, and which of them is on air. */
export const program = z
  .object({
    input: z.enum(programInputs).nullable().meta({ description: 'The input on air. Null: none.' }),
    since: timestamp.meta({ description: 'When `input` went on air.' }),
    byHand: z
      .boolean()
      .meta({ description: 'Whether the input was chosen with `POST /api/stream/{id}/switch`.' }),
    primary: programEncoder
      .nullable()
      .meta({ description: 'The encoder with the stream key. Null: not connected.' }),
    standby: programEncoder.nullable().meta({ description: 'The second encoder. Null: not connected.' }),
    reportedAt: timestamp.nullable().meta({
      description:
        "Time of the live node's last report. It reports each change, and every 10 seconds while one encoder is connected or every 2 seconds while two are.",
    }),
  })
  .meta({ id: 'Program' });

export type Program = z.output<typeof program>;
export type ProgramEncoder = z.output<typeof programEncoder>;

const slateSeconds = z.int().min(1).max(MAX_SLATE_SECONDS);
const fallbackAfterMs = z.int().min(MIN_FALLBACK_MS).max(MAX_FALLBACK_MS);

/** Fields of the stream object that say what happens when the encoder is lost. */
export const encoderLoss = {
  backup: z.boolean().meta({ description: 'Whether the stream accepts a second encoder.' }),
  slate: z.boolean().meta({ description: 'Whether viewers see a still picture while no encoder sends.' }),
  slateSeconds: slateSeconds.nullable().meta({
    description: 'Maximum seconds for which the slate is shown. Null: the reconnect window.',
  }),
  recordSlate: z.boolean().meta({ description: 'Whether recordings contain the slate.' }),
  fallbackAfterMs: fallbackAfterMs.meta({
    description: 'Milliseconds without media after which a connected encoder counts as lost.',
  }),
};

/** Fields of requests that set what happens when the encoder is lost. */
export const encoderLossInput = {
  backup: z.boolean().exactOptional().meta({
    description:
      'Whether a second encoder may publish as the standby, with `backupStreamKey` or with the stream key. False disconnects an encoder with the backup key. Default: false.',
  }),
  slate: z.boolean().exactOptional().meta({
    description:
      'Whether viewers, targets and renditions get a still picture with silence while no encoder sends. Default: false.',
  }),
  slateSeconds: slateSeconds.nullable().exactOptional().meta({
    description:
      'Maximum seconds for which the slate is shown while no encoder is connected. Null or never set: the reconnect window. A slate that was chosen with `POST /api/stream/{id}/switch` has no maximum while an encoder is connected.',
  }),
  recordSlate: z
    .boolean()
    .exactOptional()
    .meta({ description: 'Whether recordings contain the slate. Default: false.' }),
  fallbackAfterMs: fallbackAfterMs.exactOptional().meta({
    description: 'Milliseconds without media after which a connected encoder counts as lost. Default: 3000.',
  }),
};

/** Body of the request that puts an input on air. */
export const switchBody = z.strictObject({
  to: z.enum(programInputs).meta({
    description: 'The input to put on air. It stays until it fails or another one is chosen.',
  }),
});

/** Names of the keys of a stream that can be rotated. */
const streamKeyNames = ['primary', 'backup', 'both'] as const;

/** Body of the request that replaces keys of a stream. */
export const rotateKeyBody = z.strictObject({
  key: z
    .enum(streamKeyNames)
    .default('primary')
    .meta({ description: 'The key to replace: `streamKey` (primary), `backupStreamKey` (backup), or both.' }),
});
