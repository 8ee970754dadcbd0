import type { RenditionSpec } from '@/lib/core/renditions/ladder';
import type { Clock } from '@/lib/infra/clock';
import type { AudioConfig } from '@/media-worker/media/cmaf/codec-config';
import type { FeatureHost } from '@/media-worker/media/packaging/session-feature';
import { Rendition } from '@/media-worker/media/packaging/rendition';
import { RenditionFeed } from './rendition-feed';
import type { JobRendition } from './transcode-job';
import { LiveWindow } from '@/media-worker/media/packaging/window';

/** The renditions that the transcoder of one session makes, across all its jobs. */
export class TranscodedRenditions {
  readonly #host: FeatureHost;
  readonly #clock: Clock;
  readonly #renditions = new Map<string, Rendition>();
  /** The latest feed of every rendition, because its segment numbers cannot be reused. */
  readonly #feeds = new Map<string, RenditionFeed>();

  constructor(host: FeatureHost, clock: Clock) {
    this.#host = host;
    this.#clock = clock;
  }

  /** Removes all renditions except those with these names. */
  removeExcept(specs: readonly { readonly name: string }[]): void {
    for (const [name, rendition] of this.#renditions) {
      if (specs.some((keptSpec) => keptSpec.name === name)) continue;
      this.#renditions.delete(name);
      this.#host.renditions.remove(rendition);
    }
  }

  /**
   * Creates a rendition for a job.
   * @param isSeamless whether the rendition continues where the running feed ends its segment
   */
  createJobRendition(spec: RenditionSpec, audio: AudioConfig | undefined, isSeamless: boolean): JobRendition {
    const { renditions, log } = this.#host;
    return {
      rendition: spec,
      open: () => {
        const rendition = this.#getOrAdd(spec.name);
        const previousFeed = this.#feeds.get(spec.name);
        const feed = new RenditionFeed({
          rendition,
          predecessor: isSeamless ? previousFeed : undefined,
          leader: renditions.source.window,
          audio,
          fromMsn: (previousFeed?.lastMsn ?? -1) + 1,
          onError: (error) => log.error({ err: error, rendition: spec.name }, 'packaging failed'),
        });
        this.#feeds.set(spec.name, feed);
        return feed;
      },
    };
  }

  #getOrAdd(name: string): Rendition {
    let rendition = this.#renditions.get(name);
    if (!rendition) {
      rendition = new Rendition(name, new LiveWindow({ clock: this.#clock }));
      this.#renditions.set(name, rendition);
      this.#host.renditions.add(rendition);
    }
    return rendition;
  }
}
