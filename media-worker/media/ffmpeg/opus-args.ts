import type { FfmpegPlan } from './plan';

/** Audio of an FLV on standard input as Opus in Ogg, a packet a page, written as soon as it is encoded. */
export const opusPlan = (socketPath: string): FfmpegPlan => ({
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
        // Silence where packets are missing: the packets that come out are counted to know their time.
        ...['-map', '0:a:0', '-af', 'aresample=48000:async=1000:first_pts=0', '-ac', '2'],
        ...['-c:a', 'libopus', '-b:a', '96k', '-application', 'lowdelay', '-frame_duration', '20'],
        ...['-flush_packets', '1', '-page_duration', '20000', '-f', 'ogg'],
      ],
      url: `unix:${socketPath}`,
    },
  ],
});
