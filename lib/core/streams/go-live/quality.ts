/** What a person chooses about the picture that a browser sends. */
export interface Quality {
  readonly height: (typeof heights)[number];
  readonly frameRate: (typeof frameRates)[number];
  /** Maximum bits per second of the picture. */
  readonly maxBitrate: (typeof bitrates)[number];
  /** What a weak connection takes away from: the frame rate keeps every picture sharp. */
  readonly priority: (typeof priorities)[number];
}

export const heights = [1080, 720, 480] as const;
export const frameRates = [30, 60] as const;
export const bitrates = [1_000_000, 2_500_000, 4_000_000, 6_000_000, 8_000_000] as const;
/** `sharpness`: pictures keep their size. `motion`: they keep their pace. */
export const priorities = ['sharpness', 'motion'] as const;

/** A camera, which moves all over, or a screen, on which text must be readable. */
export type VideoSource = 'camera' | 'screen';

export const defaultQuality: Quality = {
  height: 720,
  frameRate: 30,
  maxBitrate: 2_500_000,
  priority: 'sharpness',
};

const widthOf = (height: number): number => Math.round((height * 16) / 9);

/** What a camera is asked for; it gives what is nearest. */
export const cameraConstraints = ({ height, frameRate }: Quality) => ({
  width: { ideal: widthOf(height) },
  height: { ideal: height },
  frameRate: { ideal: frameRate, max: frameRate },
});

/** What a screen is asked for: its own size up to this one. */
export const screenConstraints = ({ height, frameRate }: Quality) => ({
  width: { max: widthOf(height) },
  height: { max: height },
  frameRate: { max: frameRate },
});

interface FrameSize {
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

/** How many times smaller a picture has to be sent; a phone held upright has its longer side in its height. */
export function scaleDownBy({ width, height }: FrameSize, quality: Pick<Quality, 'height'>): number {
  if (!width || !height) return 1;
  return Math.max(
    1,
    Math.min(width, height) / quality.height,
    Math.max(width, height) / widthOf(quality.height),
  );
}

/** Settings for the encoder of the browser. */
export const encodingOf = (quality: Quality, size: FrameSize) => ({
  maxBitrate: quality.maxBitrate,
  maxFramerate: quality.frameRate,
  scaleResolutionDownBy: scaleDownBy(size, quality),
});

/** A picture that changes its size interrupts packaging, so it keeps it unless the person prefers motion. */
export const degradationOf = ({ priority }: Quality) =>
  priority === 'motion' ? ('maintain-framerate' as const) : ('maintain-resolution' as const);
