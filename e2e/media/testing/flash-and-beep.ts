import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Times in seconds at which the video becomes bright and the audio becomes loud. */
interface Onsets {
  readonly flashes: readonly number[];
  readonly beeps: readonly number[];
}

/** Times of the flashes and beeps in a file or playlist. */
export async function onsetsOf(input: string, seconds: number): Promise<Onsets> {
  const print = (key: string) => `print:key=${key}:file=-`;
  const read = async (filter: readonly string[], key: string) => {
    const source = ['-hide_banner', '-loglevel', 'error', '-copyts', '-i', input, '-t', String(seconds)];
    const { stdout } = await run('ffmpeg', [...source, ...filter, '-f', 'null', '-'], { maxBuffer: 2 ** 26 });
    return valuesOf(stdout, key);
  };
  const brightness = 'lavfi.signalstats.YAVG';
  const level = 'lavfi.astats.Overall.RMS_level';
  const brightnessLines = await read(['-an', '-vf', `signalstats,metadata=${print(brightness)}`], brightness);
  const loudnessLines = await read(
    ['-vn', '-af', `asetnsamples=480,astats=metadata=1:reset=1,ametadata=${print(level)}`],
    level,
  );
  return { flashes: risesOf(brightnessLines, 120), beeps: risesOf(loudnessLines, -35) };
}

interface Value {
  readonly at: number;
  readonly value: number;
}

function valuesOf(text: string, key: string): Value[] {
  const values: Value[] = [];
  let at = 0;
  for (const line of text.split('\n')) {
    const time = /pts_time:(-?[\d.]+)/.exec(line);
    if (time) at = Number(time[1]);
    else if (line.startsWith(`${key}=`)) {
      const value = Number(line.slice(key.length + 1));
      values.push({ at, value: Number.isFinite(value) ? value : -200 });
    }
  }
  return values;
}

const risesOf = (values: readonly Value[], threshold: number): number[] =>
  values.flatMap(({ at, value }, index) =>
    value >= threshold && index > 0 && (values[index - 1]?.value ?? threshold) < threshold ? [at] : [],
  );

/** Delay of the audio behind the video at each flash, in seconds, sorted; negative if the audio is early. */
export function audioLags({ flashes, beeps }: Onsets): number[] {
  return flashes
    .map((flash) => beeps.map((beep) => beep - flash).sort((a, b) => Math.abs(a) - Math.abs(b))[0])
    .filter((lag) => lag !== undefined)
    .sort((a, b) => a - b);
}
