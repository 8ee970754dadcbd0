/**
 * ffmpeg inputs for a test video whose frames show their number, readable after encoding and scaling, and whose
 * audio beeps at each full second.
 */

/** Number of bits of the frame number, which starts again at 0 after 4096 frames. Each bit is a column of the picture. */
export const FRAME_NUMBER_BITS = 12;

interface NumberedVideoOptions {
  /** Width and height in pixels, as in `854x480`. */
  readonly size: string;
  readonly fps: number;
  readonly seconds: number;
}

/**
 * ffmpeg arguments of a video input with a column for each bit of the frame number: white over black for 1, black
 * over white for 0. The lowest bit is on the left.
 */
export const frameNumberInputArgs = ({ size, fps, seconds }: NumberedVideoOptions): string[] => {
  // Limited-range video has 235 for white and 16 for black.
  const lum = String.raw`if(mod(floor(N/pow(2\,X))+Y\,2)\,235\,16)`;
  const grid = `nullsrc=s=${FRAME_NUMBER_BITS}x2:r=${fps}:d=${seconds},format=gray,geq=lum='${lum}'`;
  const [width, height] = size.split('x');
  const scaleFilter = `scale=${width}:${height}:flags=neighbor,format=yuv420p,setsar=1`;
  return ['-f', 'lavfi', '-i', `${grid},${scaleFilter}`];
};

/** ffmpeg arguments of an audio input with a beep of 40 ms at every full second. */
export const beepArgs = ({
  sampleRate,
  seconds,
}: {
  readonly sampleRate: number;
  readonly seconds: number;
}): string[] => [
  ...['-f', 'lavfi', '-i'],
  String.raw`aevalsrc=0.5*sin(2*PI*1000*t)*lt(mod(t\,1)\,0.04):s=${sampleRate}:d=${seconds}`,
];

/**
 * Reads the number of a frame.
 * @param gray the frame scaled to `FRAME_NUMBER_BITS` × 2 pixels: one byte of brightness per pixel, the upper row first
 * @returns null if both pixels of a column are bright or both are dark, as in a frame that shows no number
 */
export function readFrameNumber(gray: Uint8Array): number | null {
  let number = 0;
  for (let bitIndex = 0; bitIndex < FRAME_NUMBER_BITS; bitIndex++) {
    const [upper = 0, lower = 0] = [gray[bitIndex], gray[FRAME_NUMBER_BITS + bitIndex]];
    if (upper > 128 === lower > 128) return null;
    if (upper > 128) number += 2 ** bitIndex;
  }
  return number;
}
