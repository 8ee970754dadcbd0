import type { Profile } from '@/lib/contract/streams/profile';

/** Standard renditions: height, and bitrate in bit/s that looks good at this height. */
const standardRenditions = [
  { height: 1080, bitrate: 6_000_000 },
  { height: 720, bitrate: 3_000_000 },
  { height: 480, bitrate: 1_500_000 },
  { height: 360, bitrate: 800_000 },
  { height: 240, bitrate: 400_000 },
] as const;

interface FrameSize {
  readonly width: number;
  readonly height: number;
}

/** Even width that keeps the aspect ratio of the source, at least 128, the minimum of the API. */
export function scaledWidth(height: number, { width, height: sourceHeight }: FrameSize): number {
  return Math.max(128, 2 * Math.round((height * width) / sourceHeight / 2));
}

/** Presets with less height than the source. If the source is smaller than all presets, the smallest preset. */
export function presetsFor(size: FrameSize): Profile[] {
  const smallerRenditions = standardRenditions.filter(({ height }) => height < size.height);
  return (smallerRenditions.length > 0 ? smallerRenditions : standardRenditions.slice(-1)).map(
    ({ height, bitrate }) => ({
      name: `${height}p`,
      width: scaledWidth(height, size),
      height,
      bitrate,
      fps: 0,
    }),
  );
}
