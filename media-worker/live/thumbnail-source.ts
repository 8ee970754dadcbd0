import { thumbnailSize } from '../ffmpeg/thumbnail-args';
import type { Renditions } from './rendition';
import type { LiveWindow } from './window';

/** The input of one image. */
export interface ThumbnailSource {
  /** Changes with every segment. */
  readonly name: string;
  /** An init segment followed by a part that starts with a keyframe. */
  readonly bytes: readonly Buffer[];
  readonly width: number;
  readonly height: number;
}

/** Renditions smaller than this make poor pictures. */
const smallestSide = 180;

/** The newest keyframe of the rendition that is the least work to decode; null where there is no picture (yet). */
export function thumbnailSource({ all, source }: Renditions): ThumbnailSource | null {
  const pixels = (window: LiveWindow) => {
    const { width = 0, height = 0 } = window.facts()?.resolution ?? {};
    return Math.min(width, height) >= smallestSide ? width * height : Infinity;
  };
  const smallest = all.reduce(
    (best, each) => (pixels(each.window) < pixels(best.window) ? each : best),
    source,
  );
  return newestOf(smallest.window) ?? newestOf(source.window);
}

function newestOf(window: LiveWindow): ThumbnailSource | null {
  const resolution = window.facts()?.resolution;
  if (!resolution) return null;
  const { open, segments } = window.view();
  const newest = [open, ...segments.toReversed()].find((each) => each?.independent && each.parts.length > 0);
  if (!newest) return null;
  const [init, part] = [window.init(newest.init), window.part(newest.msn, 0)?.data];
  if (!init || !part) return null;
  return { name: `${newest.init} ${newest.msn}`, bytes: [init, ...part], ...thumbnailSize(resolution) };
}
