import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { MuxedDestination, RtmpDestination, SrtDestination } from '@/lib/core/targets/target-url';
import { scratchFolder } from '@/media-worker/kit/process/scratch-folder';
import type { FfmpegEndpoint, FfmpegPlan } from './plan';

/** FLV from standard input with known tracks: longer probing would only delay the first frame. */
const flvInput = {
  options: ['-fpsprobesize', '0', '-analyzeduration', '1000000', '-f', 'flv'],
  url: 'pipe:0',
};

interface PushPlanOptions {
  readonly destination: MuxedDestination;
  /** `host:port` to connect to: the local relay, or the checked address of the receiver. */
  readonly address: string;
  /** Option file with the text of `pushSecrets`. */
  readonly secretsFile: string;
}

/** Sends media from standard input to another service, without re-encoding. The arguments contain no secret. */
export const pushPlan = (options: PushPlanOptions): FfmpegPlan => ({
  inputs: [flvInput],
  outputs: [outputTo(options, 5_000)],
});

/**
 * Publishes without media and ends immediately. The empty input has a format that FLV and MPEG-TS accept without
 * an encoder or probing.
 */
export const publishTrialPlan = (options: PushPlanOptions): FfmpegPlan => ({
  inputs: [{ options: ['-f', 'u8', '-ar', '11025', '-ac', '1'], url: 'pipe:0' }],
  outputs: [outputTo(options, 4_000)],
});

function outputTo(
  { destination, address, secretsFile }: PushPlanOptions,
  srtTimeoutMs: number,
): FfmpegEndpoint {
  const options = ['-map', '0', '-c', 'copy', '-fpre', secretsFile];
  return destination.kind === 'rtmp'
    ? {
        options: [...options, '-flvflags', 'no_duration_filesize', '-f', 'flv'],
        url: `rtmp://${address}/`,
      }
    : {
        options: [...options, '-connect_timeout', String(srtTimeoutMs), '-f', 'mpegts'],
        url: `srt://${address}?mode=caller`,
      };
}

/**
 * The text of an option file, one `name=value` per line. The options are not on the command line, which every user
 * of the machine can read.
 */
export function pushSecrets(destination: MuxedDestination): string {
  return destination.kind === 'rtmp' ? rtmpSecrets(destination) : optionLines(srtOptions(destination));
}

/** Options for RTMP to `serverUrl`, independent of the address that ffmpeg connects to. */
export function rtmpSecrets({
  app,
  key,
  serverUrl,
}: Pick<RtmpDestination, 'app' | 'key' | 'serverUrl'>): string {
  return optionLines([
    ['rtmp_app', app],
    ['rtmp_playpath', key],
    // Without this option, the platform would receive a URL with the host of the relay.
    ['rtmp_tcurl', serverUrl],
  ]);
}

function optionLines(options: readonly [string, string][]): string {
  return options
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

function srtOptions({ options }: SrtDestination): [string, string][] {
  return Object.entries(options);
}

/**
 * Writes options for `-fpre`, one `name=value` per line, to a file that only this user can read: every user of the
 * machine can read command lines. Call `deleteOptionFile` as soon as ffmpeg has read it.
 */
export async function writeOptionFile(optionsText: string): Promise<string> {
  const folder = await mkdtemp(join(scratchFolder(), 'options-'));
  const file = join(folder, 'options');
  await writeFile(file, optionsText, { mode: 0o600 });
  return file;
}

/**
 * Deletes an option file. Idempotent, and never rejects: a file that cannot be deleted is no failure of the run that has ended,
 * and is removed with the folder of this process.
 */
export async function deleteOptionFile(file: string): Promise<void> {
  await rm(dirname(file), { recursive: true, force: true }).catch(() => undefined);
}
