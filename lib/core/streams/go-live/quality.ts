/** Video quality that the user chooses. */
export interface Quality {
  readonly height: (typeof heights)[number];
  readonly frameRate: (typeof frameRates)[number];
  /** Maximum video bitrate, bit/s. */
  readonly maxBitrate: (typeof bitrates)[number];
  /** Whether the frame size or the frame rate is kept on a weak connection. */
  readonly priority: (typeof priorities)[number];
  /** Number of sizes that are sent. Each is half as wide and high as the one before. */
  readonly layerCount: (typeof layerCounts)[number];
}

export const heights = [1080, 720, 480] as const;
export const frameRates = [30, 60] as const;
export const bitrates = [1_000_000, 2_500_000, 4_000_000, 6_000_000, 8_000_000] as const;
/** What is kept on a weak connection. `sharpness`: the frame size. `motion`: the frame rate. */
export const priorities = ['sharpness', 'motion'] as const;
export const layerCounts = [1, 2, 3] as const;

/** Kind of video: a camera has motion, a screen has text that must stay readable. */
export type VideoSource = 'camera' | 'screen';

export const defaultQuality: Quality = {
  height: 720,
  frameRate: 30,
  maxBitrate: 2_500_000,
  priority: 'sharpness',
  layerCount: 1,
};

const widthOf = (height: number): number => Math.round((height * 16) / 9);

/** Constraints for a camera, which delivers the nearest supported values. */
export const cameraConstraints = ({ height, frameRate }: Quality) => ({
  width: { ideal: widthOf(height) },
  height: { ideal: height },
  frameRate: { ideal: frameRate, max: frameRate },
});

/** Constraints for a screen, which keeps its own size up to the chosen size. */
export const screenConstraints = ({ height, frameRate }: Quality) => ({
  width: { max: widthOf(height) },
  height: { max: height },
  frameRate: { max: frameRate },
});

interface FrameSize {
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

/** Factor by which a video in landscape or portrait is scaled down before it is sent, 1 or more. */
export function scaleDownFactorOf({ width, height }: FrameSize, quality: Pick<Quality, 'height'>): number {
  if (!width || !height) return 1;
  return Math.max(
    1,
    Math.min(width, height) / quality.height,
    Math.max(width, height) / widthOf(quality.height),
  );
}

/** Encoding parameters of WebRTC for the largest size. `maxBitrate` is in bit/s. */
export const encodingOf = (quality: Quality, size: FrameSize) => ({
  maxBitrate: quality.maxBitrate,
  maxFramerate: quality.frameRate,
  scaleResolutionDownBy: scaleDownFactorOf(size, quality),
});

/** Heights of the sizes that are sent, the largest first. */
export const layerHeightsOf = ({ height, layerCount }: Pick<Quality, 'height' | 'layerCount'>): number[] =>
  Array.from({ length: layerCount }, (_, index) => height / 2 ** index);

/** Ratio of the bitrates of consecutive sizes: a quarter of the pixels needs about a third of the bitrate. */
const LAYER_BITRATE_RATIO = 3;

/** Settings for the encoders of the browser, one for each size, the largest first. */
export const encodingsOf = (quality: Quality, size: FrameSize) =>
  Array.from({ length: quality.layerCount }, (_, index) => {
    const { maxBitrate, maxFramerate, scaleResolutionDownBy } = encodingOf(quality, size);
    return {
      maxBitrate: Math.round(maxBitrate / LAYER_BITRATE_RATIO ** index),
      maxFramerate,
      scaleResolutionDownBy: scaleResolutionDownBy * 2 ** index,
    };
  });

/**
 * Degradation preference of WebRTC. Changes of the frame size interrupt packaging, so the size is kept unless the user
 * prefers motion.
 */
export const degradationPreferenceOf = ({ priority }: Quality) =>
  priority === 'motion' ? ('maintain-framerate' as const) : ('maintain-resolution' as const);
