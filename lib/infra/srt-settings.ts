import { z } from 'zod';

/** SRT ingest settings of this installation. */
export interface SrtSettings {
  /** UDP port; undefined if this machine has no SRT ingest. */
  readonly srtPort: number | undefined;
  /** Public URL of SRT ingest; undefined if there is none. */
  readonly srtUrl: string | undefined;
}

/** Environment variables for SRT. */
export const srtEnvironment = {
  SRT_PORT: z.coerce.number({ error: 'a port number from 1 to 65535' }).int().min(1).max(65_535).optional(),
  SRT_URL: z
    .url({ protocol: /^srt$/, error: 'an srt:// URL with a port' })
    .refine((url) => /^srt:\/\/[^/?#@]+:\d+\/?$/.test(url), { error: 'an srt:// URL with a port' })
    .transform((url) => url.replace(/\/$/, ''))
    .optional(),
};

type SrtEnvironment = z.output<z.ZodObject<typeof srtEnvironment>>;

/** @param rtmpUrl URL whose host is the default host of SRT_URL */
export function srtSettingsOf(
  { SRT_PORT: srtPort, SRT_URL: srtUrl }: SrtEnvironment,
  rtmpUrl: string,
): SrtSettings {
  const { hostname } = new URL(rtmpUrl.replace(/^rtmps?:/, 'http:'));
  return { srtPort, srtUrl: srtUrl ?? (srtPort === undefined ? undefined : `srt://${hostname}:${srtPort}`) };
}

interface ProcessSrt extends SrtSettings {
  /** Slot of the live process on its machine. */
  readonly slot: number;
}

/**
 * Whether a live process listens for SRT. All datagrams of a connection must reach one process, so it is the first one.
 */
export const acceptsSrt = ({ srtPort, slot }: ProcessSrt): boolean => srtPort !== undefined && slot === 1;
