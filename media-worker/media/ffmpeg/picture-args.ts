import type { FfmpegPlan } from './plan';
import { fileInput } from './vod-args';

/** A frame of a stored segment to show as a picture, or as the start of an animated preview. */
interface PictureJob {
  /** Absolute path of an init segment followed by the segment that contains the frame. */
  readonly input: string;
  /** Absolute path of the picture. */
  readonly output: string;
  /** Seconds from the start of the segment to the frame. */
  readonly offsetSeconds: number;
  /** Largest width in pixels; narrower video keeps its width. */
  readonly width: number;
}

const inputOf = ({ input, offsetSeconds }: PictureJob) =>
  fileInput(input, ['-threads', '1', '-ss', offsetSeconds.toFixed(3)]);
const scaleFilter = (width: number) => `scale='min(${width},iw)':-2`;

/** Writes the frame as JPEG. */
export const planPicture = (job: PictureJob): FfmpegPlan => ({
  inputs: [inputOf(job)],
  outputs: [
    {
      options: [
        ...['-map', '0:v:0', '-frames:v', '1', '-vf', scaleFilter(job.width), '-q:v', '4'],
        ...['-threads', '1', '-f', 'mjpeg', '-y'],
      ],
      url: `file:${job.output}`,
    },
  ],
});

const previewFormat = { seconds: 3, fps: 8 };

/** Writes a few seconds of animated, repeating WebP. */
export const planPreview = (job: PictureJob): FfmpegPlan => ({
  inputs: [inputOf(job)],
  outputs: [
    {
      options: [
        ...[
          '-map',
          '0:v:0',
          '-t',
          String(previewFormat.seconds),
          '-vf',
          `fps=${previewFormat.fps},${scaleFilter(job.width)}`,
        ],
        ...['-c:v', 'libwebp_anim', '-quality', '50', '-compression_level', '2', '-loop', '0'],
        ...['-threads', '1', '-f', 'webp', '-y'],
      ],
      url: `file:${job.output}`,
    },
  ],
});
