import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Times in seconds at which the video becomes bright and the audio becomes loud. */
export interface Onsets {
  readonly flashes: readonly number[];
  readonly beeps: readonly number[];
}

/** Finds the flashes and beeps in the first `seconds` of a file or playlist. */
export async function findOnsets(input: string, seconds: number): Promise<Onsets> {
  const printOption = (key: string, pipe: number) => String.raw`print:key=${key}:file=pipe\\:${pipe}`;
  const brightness = 'lavfi.signalstats.YAVG';
  const loudness = 'lavfi.astats.Overall.RMS_level';
  // One process reads both tracks, because a live playlist has moved on when a second process reads it.
  const output = ['-f', 'null', '-'];
  const { stdout, stderr } = await run(
    'ffmpeg',
    [
      // As an option of an output, -t would count from 0 with -copyts, and end in an older live stream at once.
      ...['-hide_banner', '-loglevel', 'error', '-copyts', '-t', String(seconds), '-i', input],
      ...['-an', '-vf', `signalstats,metadata=${printOption(brightness, 1)}`, ...output],
      ...['-vn', '-af', `asetnsamples=480,astats=metadata=1:reset=1,ametadata=${printOption(loudness, 2)}`],
      ...output,
    ],
    { maxBuffer: 2 ** 26 },
  );
  return {
    // Thresholds: a mean brightness of 120 of 255, and a loudness of -35 dB.
    flashes: findRises(parseSamples(stdout, brightness), 120),
    beeps: findRises(parseSamples(stderr, loudness), -35),
  };
}

interface Sample {
  readonly seconds: number;
  readonly value: number;
}

function parseSamples(text: string, key: string): Sample[] {
  const samples: Sample[] = [];
  let seconds = 0;
  for (const line of text.split('\n')) {
    const time = /pts_time:(-?[\d.]+)/.exec(line);
    if (time) seconds = Number(time[1]);
    else if (line.startsWith(`${key}=`)) {
      const value = Number(line.slice(key.length + 1));
      // The loudness of silence is -inf.
      samples.push({ seconds, value: Number.isFinite(value) ? value : -200 });
    }
  }
  return samples;
}

const findRises = (samples: readonly Sample[], threshold: number): number[] =>
  samples.flatMap(({ seconds, value }, index) =>
    value >= threshold && index > 0 && (samples[index - 1]?.value ?? threshold) < threshold ? [seconds] : [],
  );

/** Joins the onsets of overlapping reads of one stream. */
export const joinOnsets = (onsets: Onsets, otherOnsets: Onsets): Onsets => ({
  flashes: [...new Set([...onsets.flashes, ...otherOnsets.flashes])],
  beeps: [...new Set([...onsets.beeps, ...otherOnsets.beeps])],
});

/** Delays of the nearest beep after each flash in seconds, in ascending order. A delay is negative if the audio is early. */
export function audioLags({ flashes, beeps }: Onsets): number[] {
  return flashes
    .map((flash) => beeps.map((beep) => beep - flash).sort((a, b) => Math.abs(a) - Math.abs(b))[0])
    .filter((lag) => lag !== undefined)
    .sort((a, b) => a - b);
}
