import type { Clock } from '@/lib/infra/clock';
import { errorAnswer, jsonAnswer, type Answer } from '@/media-worker/kit/http/answer';
import { errorBodyOf } from '@/lib/core/reasons/reason';
import type { LiveFeeds } from '@/media-worker/rtc/live-feeds';
import type { Peer } from '@/media-worker/rtc/peer';
import type { AcceptedOffer, OpenedConnection, RtcDirection } from '@/media-worker/rtc/rtc-direction';
import type { WatchOffer } from '@/media-worker/rtc/rtc-request';
import { rejectSection, type SessionDescription, withCodec } from '@/media-worker/rtc/sdp';
import { chooseCodecs, type ChosenCodecs, viewerRefusals } from './choose-codecs';
import { ViewerFeed } from './viewer-feed';
import type { ViewerSessions } from './viewer-sessions';
import { WhepViewer } from './whep-viewer';

export interface ViewerDirectionOptions {
  readonly clock: Clock;
  readonly feeds: Pick<LiveFeeds, 'join'>;
  readonly sessions: ViewerSessions;
  /** Called when the audio of a stream fails, with the reason, and with null when it works again. */
  readonly trouble: (name: Pick<WatchOffer, 'live' | 'playbackId'>, reason: string | null) => void;
}

const source = 'source';
const notLive = errorAnswer(404, 'The stream is not live.');

/** The refusal of an offer. Players fall back to HLS and translate the message by its reason. */
const unplayable = (reason: 'b_frames' | 'codec', message: string): Answer =>
  jsonAnswer(406, { ...errorBodyOf([message]), reason });

/** WHEP: sends streams to viewers. The origin has already checked access. */
export class ViewerDirection implements RtcDirection<WatchOffer> {
  readonly #options: ViewerDirectionOptions;
  readonly #feeds = new Map<string, ViewerFeed>();

  constructor(options: ViewerDirectionOptions) {
    this.#options = options;
  }

  /** Number of streams that are being watched. */
  get streams(): number {
    return this.#feeds.size;
  }

  async accept(
    request: WatchOffer,
    offer: SessionDescription,
    connection: OpenedConnection,
  ): Promise<AcceptedOffer | Answer> {
    const feed = this.#feedOf(request);
    const release = feed.hold();
    if (!(await feed.ready)) {
      release();
      return notLive;
    }
    const codecs = feed.isReordered ? { refusal: viewerRefusals.bFrames } : chooseCodecs(offer, feed.video);
    if ('refusal' in codecs) {
      release();
      return unplayable(feed.isReordered ? 'b_frames' : 'codec', codecs.refusal);
    }
    return this.#viewer({ feed, release, codecs, connection }, reducedOffer(offer, codecs));
  }

  /** Ends all feeds. May be called twice. */
  close(): void {
    for (const feed of this.#feeds.values()) feed.close();
  }

  #viewer({ feed, release, codecs, connection }: JoinedFeed, offer: SessionDescription): AcceptedOffer {
    const { clock, sessions } = this.#options;
    const viewer = new WhepViewer({ codecs, clock, cached: () => feed.cached(), close: connection.close });
    let leave = (): void => undefined;
    let end = (): void => undefined;
    return {
      offer,
      prepare: (peer: Peer) => {
        viewer.prepare(peer);
        end = sessions.open(connection, () => peer.stats.sentBytes);
      },
      onConnected: () => {
        viewer.start();
        leave = feed.watch(viewer);
      },
      onEnd: () => {
        leave();
        viewer.stop();
        end();
        release();
      },
    };
  }

  #feedOf({ live, playbackId }: WatchOffer): ViewerFeed {
    const key = `${live} ${playbackId}`;
    const running = this.#feeds.get(key);
    if (running) return running;
    const { clock, feeds, trouble } = this.#options;
    const feed: ViewerFeed = new ViewerFeed({
      clock,
      join: () => feeds.join({ live, playbackId, rendition: source }),
      trouble: (reason) => trouble({ live, playbackId }, reason),
      onOver: () => {
        if (this.#feeds.get(key) === feed) this.#feeds.delete(key);
      },
    });
    this.#feeds.set(key, feed);
    return feed;
  }
}

interface JoinedFeed {
  readonly feed: ViewerFeed;
  readonly release: () => void;
  readonly codecs: ChosenCodecs;
  readonly connection: OpenedConnection;
}

function reducedOffer(
  { session, media }: SessionDescription,
  { video, audio }: ChosenCodecs,
): SessionDescription {
  return {
    session,
    media: media.map((section) => {
      const choice = [video, audio].find((candidate) => candidate?.media === section);
      return choice ? withCodec(section, choice.codec) : rejectSection(section);
    }),
  };
}
