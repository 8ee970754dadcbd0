/**
 * ffmpeg inputs for a test video whose frames show their number, readable after encoding and scaling, and whose
 * audio beeps at each full second.
 */

/** Number of bits of the frame number. Each bit is a column of the picture. */
export const COUNTED_BITS = 12;

interface CounterOptions {
  readonly size: string;
  readonly fps: number;
  readonly seconds: number;
}

/**
 * ffmpeg arguments of a video input with a column for each bit of the frame number: white over black for 1, black
 * over white for 0.
 */
export const counterArgs = ({ size, fps, seconds }: CounterOptions): string[] => {
  const lum = String.raw`if(mod(floor(N/pow(2\,X))+Y\,2)\,235\,16)`;
  const grid = `nullsrc=s=${COUNTED_BITS}x2:r=${fps}:d=${seconds},format=gray,geq=lum='${lum}'`;
  const [width, height] = size.split('x');
  const scaleFilter = `scale=${width}:${height}:flags=neighbor,format=yuv420p,setsar=1`;
  return ['-f', 'lavfi', '-i', `${grid},${scaleFilter}`];
};

/** ffmpeg arguments of an audio input with a beep of 40 ms at every full second. */
export const beepArgs = ({
  rate,
  seconds,
}: {
  readonly rate: number;
  readonly seconds: number;
}): string[] => [
  ...['-f', 'lavfi', '-i'],
  String.raw`aevalsrc=0.5*sin(2*PI*1000*t)*lt(mod(t\,1)\,0.04):s=${rate}:d=${seconds}`,
];

/**
 * Reads the number of a frame.
 * @param gray `COUNTED_BITS` × 2 pixels
 * @returns null for an incomplete frame
 */
export function readCounter(gray: Uint8Array): number | null {
  let number = 0;
  for (let bitIndex = 0; bitIndex < COUNTED_BITS; bitIndex++) {
    const [upper = 0, lower = 0] = [gray[bitIndex], gray[COUNTED_BITS + bitIndex]];
    if (upper > 128 === lower > 128) return null;
    if (upper > 128) number += 2 ** bitIndex;
  }
  return number;
}
