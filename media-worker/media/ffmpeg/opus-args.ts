import type { FfmpegPlan } from './plan';

/**
 * Converts audio in Matroska from standard input to AAC in FLV on a Unix socket, with unchanged times. Gaps become
 * silence.
 */
export function planAudioToAac(socketPath: string): FfmpegPlan {
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

/**
 * Converts the audio of FLV from standard input to Opus in Ogg on a Unix socket. Each page has one packet and is
 * written as soon as the packet is encoded.
 */
export const planAacToOpus = (socketPath: string): FfmpegPlan => ({
  inputs: [
    {
      options: [
        ...['-flags', 'low_delay', '-threads', '1'],
        ...['-probesize', '4096', '-analyzeduration', '0', '-f', 'flv'],
      ],
      url: 'pipe:0',
    },
  ],
  outputs: [
    {
      options: [
        // Missing packets become silence, because the reader derives times from the number of packets.
        ...['-map', '0:a:0', '-af', 'aresample=48000:async=1000:first_pts=0', '-ac', '2'],
        ...['-c:a', 'libopus', '-b:a', '96k', '-application', 'lowdelay', '-frame_duration', '20'],
        ...['-flush_packets', '1', '-page_duration', '20000', '-f', 'ogg'],
      ],
      url: `unix:${socketPath}`,
    },
  ],
});
