/** A film whose frames carry their number, which survives encoding and scaling, and whose seconds start with a beep. */

/** Bits of the frame number, one column each. */
export const countedBits = 12;

interface Counted {
  readonly size: string;
  readonly fps: number;
  readonly seconds: number;
}

/**
 * Input of ffmpeg: a column for each bit of the number, white in the upper half for a one, and inverted in the
 * lower half.
 */
export const counterArgs = ({ size, fps, seconds }: Counted): string[] => {
  const lum = String.raw`if(mod(floor(N/pow(2\,X))+Y\,2)\,235\,16)`;
  const grid = `nullsrc=s=${countedBits}x2:r=${fps}:d=${seconds},format=gray,geq=lum='${lum}'`;
  const [width, height] = size.split('x');
  const scaleFilter = `scale=${width}:${height}:flags=neighbor,format=yuv420p,setsar=1`;
  return ['-f', 'lavfi', '-i', `${grid},${scaleFilter}`];
};

/** Input of ffmpeg: a beep of 40 ms at every full second. */
export const beeps = ({ rate, seconds }: { readonly rate: number; readonly seconds: number }): string[] => [
  ...['-f', 'lavfi', '-i'],
  String.raw`aevalsrc=0.5*sin(2*PI*1000*t)*lt(mod(t\,1)\,0.04):s=${rate}:d=${seconds}`,
];

/** Reads the number of a frame. @param gray `countedBits` × 2 pixels @returns null for an incomplete frame */
export function readCounter(gray: Uint8Array): number | null {
  let number = 0;
  for (let bitIndex = 0; bitIndex < countedBits; bitIndex++) {
    const [upper = 0, lower = 0] = [gray[bitIndex], gray[countedBits + bitIndex]];
    if (upper > 128 === lower > 128) return null;
    if (upper > 128) number += 2 ** bitIndex;
  }
  return number;
}
