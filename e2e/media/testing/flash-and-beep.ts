import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Times in seconds at which the video becomes bright and the audio becomes loud. */
interface Onsets {
  readonly flashes: readonly number[];
  readonly beeps: readonly number[];
}

/** Finds the flashes and beeps in the first `seconds` of a file or playlist. */
export async function findOnsets(input: string, seconds: number): Promise<Onsets> {
  const printOption = (key: string) => `print:key=${key}:file=-`;
  const readSamples = async (filter: readonly string[], key: string) => {
    const source = ['-hide_banner', '-loglevel', 'error', '-copyts', '-i', input, '-t', String(seconds)];
    const { stdout } = await run('ffmpeg', [...source, ...filter, '-f', 'null', '-'], { maxBuffer: 2 ** 26 });
    return parseSamples(stdout, key);
  };
  const brightness = 'lavfi.signalstats.YAVG';
  const loudness = 'lavfi.astats.Overall.RMS_level';
  const brightnessSamples = await readSamples(
    ['-an', '-vf', `signalstats,metadata=${printOption(brightness)}`],
    brightness,
  );
  const loudnessSamples = await readSamples(
    ['-vn', '-af', `asetnsamples=480,astats=metadata=1:reset=1,ametadata=${printOption(loudness)}`],
    loudness,
  );
  return { flashes: findRises(brightnessSamples, 120), beeps: findRises(loudnessSamples, -35) };
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
      samples.push({ seconds, value: Number.isFinite(value) ? value : -200 });
    }
  }
  return samples;
}

const findRises = (samples: readonly Sample[], threshold: number): number[] =>
  samples.flatMap(({ seconds: at, value }, index) =>
    value >= threshold && index > 0 && (samples[index - 1]?.value ?? threshold) < threshold ? [at] : [],
  );

/** Delays of the nearest beep after each flash in seconds, in ascending order. A delay is negative if the audio is early. */
export function audioLags({ flashes, beeps }: Onsets): number[] {
  return flashes
    .map((flash) => beeps.map((beep) => beep - flash).sort((a, b) => Math.abs(a) - Math.abs(b))[0])
    .filter((lag) => lag !== undefined)
    .sort((a, b) => a - b);
}
