import type { Clock } from '@/lib/infra/clock';
import type { LiveFeeds } from '@/media-worker/rtc/live-feeds';
import { ViewerFeed } from './viewer-feed';

/** Names one rendition of a live stream. */
export interface FeedRendition {
  /** Address of the live process that has the stream. */
  readonly live: string;
  readonly playbackId: string;
  readonly folder: string;
}

interface ViewerFeedsOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly feeds: Pick<LiveFeeds, 'join'>;
  /** Called when the audio of a rendition fails, with the reason, and with null when it works again. */
  readonly trouble: (rendition: FeedRendition, reason: string | null) => void;
}

/** The open feeds of this process. Viewers and targets of one rendition share a feed, and thus one encoder of Opus. */
export class ViewerFeeds {
  readonly #options: ViewerFeedsOptions;
  readonly #feeds = new Map<string, ViewerFeed>();

  constructor(options: ViewerFeedsOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#feeds.size;
  }

  /** Returns the open feed of a rendition, or opens one. The caller holds it while it is used. */
  of(rendition: FeedRendition): ViewerFeed {
    const { live, playbackId, folder } = rendition;
    const path = `/packets/${playbackId}/${folder}`;
    const key = live + path;
    const running = this.#feeds.get(key);
    if (running) return running;
    const { clock, feeds, trouble } = this.#options;
    const feed: ViewerFeed = new ViewerFeed({
      clock,
      join: () => feeds.join({ live, path }),
      trouble: (reason) => trouble(rendition, reason),
      onOver: () => {
        if (this.#feeds.get(key) === feed) this.#feeds.delete(key);
      },
    });
    this.#feeds.set(key, feed);
    return feed;
  }

  /** Ends all feeds. May be called twice. */
  close(): void {
    for (const feed of this.#feeds.values()) feed.close();
  }
}
