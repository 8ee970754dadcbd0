import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { defaultProcesses, type ProcessCounts } from '@/lib/core/nodes/process-slots';
import { onOff, wholeNumber, type Values } from './variable-types';

/** How much a machine does. */
export const capacityVariables = {
  TRANSCODE_CORES: z.coerce
    .number({ error: 'a number of cores, for example 1.5' })
    .min(0.1)
    .max(1024)
    .default(() => 0.75 * availableParallelism())
    .meta({
      defaultText: 'three quarters of the cores',
      description:
        'cores that the renditions of all live streams may use together, divided among the live processes; if they need more, the costliest renditions are left out',
    }),
  RENDITION_CACHE_BYTES: wholeNumber('bytes', { min: 0, max: 2 ** 50 })
    .default(10 * 2 ** 30)
    .describe(
      'bytes of storage for renditions of assets, which are encoded when they are watched ([details](#renditions-of-assets)); `0`: no renditions of assets',
    ),
  ORIGIN_CACHE_BYTES: wholeNumber('bytes', { min: 0, max: 2 ** 50 })
    .optional()
    .meta({
      defaultText: 'a tenth of the free space, at most 10 GiB',
      description:
        'disk space for cached files: of the upstream at an edge, of S3 at an origin; `0`: no cache',
    }),
  CAPACITY_GUARD: onOff
    .default(true)
    .describe(
      '`on`: an overloaded machine rejects new streams, and renditions count with their measured CPU use ([when a machine is full](#when-a-machine-is-full)); `off`: neither',
    ),
  MAX_STREAMS: wholeNumber('streams', { max: 1_000_000 }).optional().meta({
    defaultText: 'no limit',
    description:
      'streams that this machine accepts, divided among its live processes; more are rejected ([when a machine is full](#when-a-machine-is-full))',
  }),
  PULL_STREAMS: z.coerce
    .number({ error: 'a number from 0 to 1000' })
    .int()
    .min(0)
    .max(1_000)
    .default(20)
    .describe(
      'how many streams each live process [pulls](pull.md) at the same time; `0`: none, and `pull` is rejected',
    ),
  RTMP_CLIENTS_PER_ADDRESS: wholeNumber('connections', { max: 100_000 })
    .default(1_000)
    .describe(
      'encoders from one address (IPv6: /64) at each live process, counted separately for RTMP, SRT and WebRTC; more are logged and rejected',
    ),
  API_RATE_LIMIT: wholeNumber('requests per minute', { max: 10_000_000 })
    .default(600)
    .describe("requests per minute of one API key, or one user's browser; more get 429"),
};

const processCount = wholeNumber('processes', { max: 256 });

/** Number of processes of each role. */
export const processVariables = {
  LIVE_PROCESSES: processCount
    .default(() => defaultProcesses(availableParallelism()).live)
    .meta({
      defaultText: 'a quarter of the cores, at least `1`',
      description:
        'live processes on this machine; all accept encoders on `RTMP_PORT` ([several processes](#several-processes-of-a-role))',
    }),
  ORIGIN_PROCESSES: processCount
    .default(() => defaultProcesses(availableParallelism()).origin)
    .meta({
      defaultText: 'a quarter of the cores, at least `1`',
      description: 'origin processes on this machine; all answer on `MEDIA_PORT`',
    }),
  WEB_PROCESSES: processCount
    .default(() => defaultProcesses(availableParallelism()).web)
    .meta({
      defaultText: 'a quarter of the cores, `1` to `4`',
      description: 'web processes on this machine; all answer on `PORT`',
    }),
};

export const processCounts = (values: Values<typeof processVariables>): ProcessCounts => ({
  live: values.LIVE_PROCESSES,
  origin: values.ORIGIN_PROCESSES,
  web: values.WEB_PROCESSES,
});

/** Not a setting: lib/infra/process-group.ts sets the index of a process in its role, from 1. */
export const slotVariable = { PROCESS_SLOT: processCount.default(1) };
