import type { Profile } from '@/lib/contract/streams/profile';

/** Usual renditions: height, and a bitrate in bit/s that looks good at that height. */
const renditions = [
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

/** The even width that keeps the picture's aspect ratio. */
export function widthFor(height: number, { width, height: of }: FrameSize): number {
  return Math.max(128, 2 * Math.round((height * width) / of / 2));
}

/** Presets smaller than the picture; only the smallest preset for a picture below all of them. */
export function presetsFor(size: FrameSize): Profile[] {
  const below = renditions.filter(({ height }) => height < size.height);
  return (below.length > 0 ? below : renditions.slice(-1)).map(({ height, bitrate }) => ({
    name: `${height}p`,
    width: widthFor(height, size),
    height,
    bitrate,
    fps: 0,
  }));
}
