import { sourceProfile } from '@/lib/core/renditions/profile-rules';
import type { Clock } from '@/lib/infra/clock';
import { errorAnswer, jsonAnswer, type Answer } from '@/media-worker/kit/http/answer';
import { createErrorBody } from '@/lib/core/reasons/reason';
import type { Peer } from '@/media-worker/rtc/peer';
import type { AcceptedOffer, OpenedConnection, RtcDirection } from '@/media-worker/rtc/rtc-direction';
import type { WatchOffer } from '@/media-worker/rtc/rtc-request';
import { rejectSection, type SessionDescription, withCodec } from '@/media-worker/rtc/sdp';
import { chooseCodecs, type ChosenCodecs, offerRejections } from './choose-codecs';
import type { ViewerFeed } from './viewer-feed';
import type { ViewerFeeds } from './viewer-feeds';
import type { ViewerSessions } from './viewer-sessions';
import { WhepViewer } from './whep-viewer';

export interface ViewerDirectionOptions {
  readonly clock: Clock;
  readonly feeds: Pick<ViewerFeeds, 'open'>;
  readonly sessions: ViewerSessions;
}

const notLiveAnswer = errorAnswer(404, 'The stream is not live.');

/**
 * The response to an offer that this stream cannot be played with. Players fall back to HLS, and translate the
 * message by its reason.
 */
const unplayableAnswer = (reason: 'b_frames' | 'codec', message: string): Answer =>
  jsonAnswer(406, { ...createErrorBody([message]), reason });

/** WHEP: sends streams to viewers. The origin has already checked access. */
export class ViewerDirection implements RtcDirection<WatchOffer> {
  readonly #options: ViewerDirectionOptions;

  constructor(options: ViewerDirectionOptions) {
    this.#options = options;
  }

  async accept(
    request: WatchOffer,
    offer: SessionDescription,
    connection: OpenedConnection,
  ): Promise<AcceptedOffer | Answer> {
    const { live, playbackId } = request;
    const feed = this.#options.feeds.open({ liveUrl: live, playbackId, folder: sourceProfile });
    const release = feed.hold();
    if (!(await feed.whenReady)) {
      release();
      return notLiveAnswer;
    }
    const codecs = feed.isReordered
      ? { rejection: offerRejections.bFrames }
      : chooseCodecs(offer, feed.video);
    if ('rejection' in codecs) {
      release();
      return unplayableAnswer(feed.isReordered ? 'b_frames' : 'codec', codecs.rejection);
    }
    return this.#createViewer({ feed, release, codecs, connection }, reduceOffer(offer, codecs));
  }

  #createViewer({ feed, release, codecs, connection }: JoinedFeed, offer: SessionDescription): AcceptedOffer {
    const { clock, sessions } = this.#options;
    const viewer = new WhepViewer({
      codecs,
      clock,
      cachedFrames: () => feed.cachedFrames(),
      close: connection.close,
    });
    let leaveFeed = (): void => undefined;
    let markGone = (): void => undefined;
    return {
      offer,
      prepare: (peer: Peer) => {
        viewer.addTracks(peer);
        markGone = sessions.open(connection, () => peer.stats.sentBytes);
      },
      onConnected: () => {
        viewer.start();
        leaveFeed = feed.watch(viewer);
      },
      onEnd: () => {
        leaveFeed();
        viewer.stop();
        markGone();
        release();
      },
    };
  }
}

interface JoinedFeed {
  readonly feed: ViewerFeed;
  readonly release: () => void;
  readonly codecs: ChosenCodecs;
  readonly connection: OpenedConnection;
}

/** The offer with only the chosen codecs; other media sections are rejected. */
function reduceOffer(
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
