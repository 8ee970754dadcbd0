import { z } from 'zod';

/**
 * Schema of the name of a profile, which is used in playlists: a letter or digit of any script, then letters, digits and a
 * few separators.
 */
const profileName = z.string().regex(/^[\p{L}\p{N}][\p{L}\p{N} ._:+@()-]{0,63}$/u, {
  error: 'must be 1 to 64 letters, digits, spaces or . _ : + @ ( ) -, starting with a letter or digit',
});

/** The settings of one rendition. */
export const profile = z
  .strictObject({
    name: profileName.meta({ description: 'Label of the rendition; unique in the stream, not "source".' }),
    width: z.int().min(128).max(7680),
    height: z.int().min(128).max(7680),
    bitrate: z.int().min(400).max(100_000_000).meta({ description: 'Bits per second.' }),
    fps: z.int().min(0).max(240).meta({ description: 'Frames per second; 0 keeps the source frame rate.' }),
    fpsDen: z.int().min(1).max(1001).exactOptional().meta({ description: 'Denominator of fps. Default 1.' }),
    quality: z
      .int()
      .min(0)
      .max(44)
      .exactOptional()
      .meta({ description: 'Constant rate factor; lower is better.' }),
    gop: z
      .string()
      .regex(/^(intra|\d{1,3}(\.\d{1,3})?)$/, {
        error: 'must be seconds, for example "2.0", or "0" or "intra"',
      })
      .exactOptional()
      .meta({
        description:
          'Maximum seconds between keyframes. "0": the keyframes of the source. "intra": every frame is a keyframe. Default "0".',
      }),
    profile: z.enum(['H264Baseline', 'H264Main', 'H264High', 'H264ConstrainedHigh']).exactOptional(),
    encoder: z.enum(['H.264']).exactOptional(),
  })
  .meta({ id: 'Profile', description: 'A rendition to transcode the source to.' });

export type Profile = z.output<typeof profile>;

const MAX_PROFILES = 10;

export const profiles = z.array(profile).max(MAX_PROFILES);

/** Which renditions of a stream are recorded. */
export const recordingSpec = z
  .strictObject({
    profiles: profiles.exactOptional().meta({
      description:
        'Names of the recorded renditions in addition to the source. Default: all. `issues` reports names that match no profile.',
    }),
  })
  .meta({ id: 'RecordingSpec', description: 'Only together with `record`: true.' });

export type RecordingSpec = z.output<typeof recordingSpec>;
