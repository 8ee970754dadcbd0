import type { Clock } from '@/lib/infra/clock';
import type { LiveFeeds } from '@/media-worker/rtc/live-feeds';
import { ViewerFeed } from './viewer-feed';

/** One rendition of a live stream, and the live process that has it. */
export interface FeedRendition {
  /** Internal URL of the live process that has the stream. */
  readonly liveUrl: string;
  readonly playbackId: string;
  readonly folder: string;
}

interface ViewerFeedsOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly feeds: Pick<LiveFeeds, 'join'>;
  /** Called when the audio of a rendition fails, with the reason, and with null when it works again. */
  readonly onAudioStateChange: (rendition: FeedRendition, reason: string | null) => void;
}

/** The open feeds of this process. Viewers and targets of one rendition share a feed, and thus one Opus encoder. */
export class ViewerFeeds {
  readonly #options: ViewerFeedsOptions;
  readonly #feeds = new Map<string, ViewerFeed>();

  constructor(options: ViewerFeedsOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#feeds.size;
  }

  /** Returns the feed of a rendition, which is opened if necessary. Callers `hold` the feed while they use it. */
  open(rendition: FeedRendition): ViewerFeed {
    const { liveUrl, playbackId, folder } = rendition;
    const path = `/packets/${playbackId}/${folder}`;
    const key = liveUrl + path;
    const openFeed = this.#feeds.get(key);
    if (openFeed) return openFeed;
    const { clock, feeds, onAudioStateChange } = this.#options;
    const feed: ViewerFeed = new ViewerFeed({
      clock,
      join: () => feeds.join({ liveUrl, path }),
      onAudioStateChange: (reason) => onAudioStateChange(rendition, reason),
      onClose: () => {
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
