import { z } from 'zod';
import { port } from './variable-types';

export const srtVariables = {
  SRT_PORT: port.optional().describe('UDP port of SRT ingest; without it, SRT is off ([SRT](srt.md))'),
  SRT_URL: z
    .url({ protocol: /^srt$/, error: 'an srt:// URL with a port' })
    .refine((url) => /^srt:\/\/[^/?#@]+:\d+\/?$/.test(url), { error: 'an srt:// URL with a port' })
    .overwrite((url) => url.replace(/\/$/, ''))
    .optional()
    .meta({
      defaultText: 'host of `RTMP_URL` and `SRT_PORT`',
      description: 'public URL of SRT ingest, for example `srt://example.com:9000`',
    }),
};

interface LiveProcess {
  readonly srtPort: number | undefined;
  /** Slot of the live process on its machine. */
  readonly slot: number;
}

/**
 * Whether a live process listens for SRT. All datagrams of a connection must reach one process, so it is the first one.
 */
export const acceptsSrt = ({ srtPort, slot }: LiveProcess): boolean => srtPort !== undefined && slot === 1;
