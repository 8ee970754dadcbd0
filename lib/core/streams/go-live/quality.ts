/** Video quality that the user chooses. */
export interface Quality {
  readonly height: (typeof heights)[number];
  readonly frameRate: (typeof frameRates)[number];
  /** Maximum video bitrate, bit/s. */
  readonly maxBitrate: (typeof bitrates)[number];
  /** What is kept on a weak connection: the frame size, or the frame rate. */
  readonly priority: (typeof priorities)[number];
}

export const heights = [1080, 720, 480] as const;
export const frameRates = [30, 60] as const;
export const bitrates = [1_000_000, 2_500_000, 4_000_000, 6_000_000, 8_000_000] as const;
/** `sharpness`: keeps the frame size. `motion`: keeps the frame rate. */
export const priorities = ['sharpness', 'motion'] as const;

/** Kind of video: a camera has motion, a screen has text that must stay readable. */
export type VideoSource = 'camera' | 'screen';

export const defaultQuality: Quality = {
  height: 720,
  frameRate: 30,
  maxBitrate: 2_500_000,
  priority: 'sharpness',
};

const widthOf = (height: number): number => Math.round((height * 16) / 9);

/** Constraints for a camera, which delivers the nearest supported values. */
export const cameraConstraints = ({ height, frameRate }: Quality) => ({
  width: { ideal: widthOf(height) },
  height: { ideal: height },
  frameRate: { ideal: frameRate, max: frameRate },
});

/** Constraints for a screen: its own size, up to this one. */
export const screenConstraints = ({ height, frameRate }: Quality) => ({
  width: { max: widthOf(height) },
  height: { max: height },
  frameRate: { max: frameRate },
});

interface FrameSize {
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

/** Factor by which video is scaled down before it is sent, also for portrait video. */
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

/** Degradation preference of WebRTC. Changes of the frame size interrupt packaging, so the size is kept unless the user prefers motion. */
export const degradationOf = ({ priority }: Quality) =>
  priority === 'motion' ? ('maintain-framerate' as const) : ('maintain-resolution' as const);
