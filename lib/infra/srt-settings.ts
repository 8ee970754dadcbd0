import { z } from 'zod';

/** SRT ingest of this installation. */
export interface SrtSettings {
  /** UDP; undefined: this machine takes no SRT. */
  readonly srtPort: number | undefined;
  /** Public address of SRT ingest; undefined: there is none. */
  readonly srtUrl: string | undefined;
}

/** The settings as the operator gives them. */
export const srtEnvironment = {
  SRT_PORT: z.coerce.number({ error: 'a port number from 1 to 65535' }).int().min(1).max(65_535).optional(),
  SRT_URL: z
    .url({ protocol: /^srt$/, error: 'an srt:// URL with a port' })
    .refine((url) => /^srt:\/\/[^/?#@]+:\d+\/?$/.test(url), { error: 'an srt:// URL with a port' })
    .transform((url) => url.replace(/\/$/, ''))
    .optional(),
};

type Given = z.output<z.ZodObject<typeof srtEnvironment>>;

/** @param rtmpUrl its host is where encoders reach this machine, unless SRT_URL says otherwise */
export function srtSettingsOf({ SRT_PORT: srtPort, SRT_URL: srtUrl }: Given, rtmpUrl: string): SrtSettings {
  const { hostname } = new URL(rtmpUrl.replace(/^rtmps?:/, 'http:'));
  return { srtPort, srtUrl: srtUrl ?? (srtPort === undefined ? undefined : `srt://${hostname}:${srtPort}`) };
}

interface ProcessSrt extends SrtSettings {
  /** Slot of the live process on its machine. */
  readonly slot: number;
}

/** Datagrams of one connection must reach one process: of several, the first one takes SRT. */
export const takesSrt = ({ srtPort, slot }: ProcessSrt): boolean => srtPort !== undefined && slot === 1;
