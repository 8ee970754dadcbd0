import type { FfmpegPlan } from './plan';

/** Opus in Matroska on standard input; AAC as FLV to a Unix socket, with the times that it came with. Gaps become silence. */
export function opusToAacPlan(socketPath: string): FfmpegPlan {
  return {
    inputs: [
      {
        options: [
          ...['-fflags', 'nobuffer', '-probesize', '32', '-analyzeduration', '0', '-copyts'],
          ...['-threads', '1', '-f', 'matroska'],
        ],
        url: 'pipe:0',
      },
    ],
    outputs: [
      {
        options: [
          ...['-map', '0:a', '-af', 'aresample=48000:async=1', '-c:a', 'aac', '-aac_coder', 'fast'],
          ...['-b:a', '128k', '-ac', '2', '-threads', '1'],
          ...['-flush_packets', '1', '-flvflags', 'no_duration_filesize', '-f', 'flv'],
        ],
        url: `unix:${socketPath}`,
      },
    ],
  };
}
