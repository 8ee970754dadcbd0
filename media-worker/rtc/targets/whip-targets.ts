import type { TargetFinding } from '@/lib/core/targets/target-finding';
import { parseWhipUrl } from '@/lib/core/targets/whip-url';
import type { SystemContext } from '@/lib/domain/context';
import type { Egress } from '@/lib/infra/egress/egress';
import type { EgressSockets } from '@/lib/infra/egress/egress-socket';
import { newId } from '@/lib/infra/ids';
import { errorAnswer, jsonAnswer } from '@/media-worker/kit/http/answer';
import type { InternalWrites } from '@/media-worker/kit/http/internal-writes';
import {
  parseWhipRequest,
  replyOfFinding,
  type WhipOpenRequest,
  type WhipRequest,
  whipRequestPath,
  type WhipReply,
} from '@/media-worker/live/multistream/whip-requests';
import type { ViewerFeed } from '@/media-worker/rtc/viewers/viewer-feed';
import type { ViewerFeeds } from '@/media-worker/rtc/viewers/viewer-feeds';
import { createTargetCodecs } from './target-codecs';
import { WhipTarget } from './whip-target';

export interface WhipTargetsOptions {
  readonly ctx: Pick<SystemContext, 'clock' | 'log' | 'settings'>;
  readonly feeds: Pick<ViewerFeeds, 'open'>;
  /** Requests a keyframe from the encoder of a stream. Only WebRTC encoders can respond. */
  readonly requestKeyframe: (streamId: string) => void;
  readonly egress: Pick<Egress, 'fetch'>;
  readonly sockets: Pick<EgressSockets, 'resolve'>;
}

/** A target is closed after this time without a request of its live process, which may have exited. */
const ORPHAN_TIMEOUT_MS = 30_000;
const MAX_TARGETS = 1_000;

interface OpenTarget {
  readonly target: WhipTarget;
  readonly feed: ViewerFeed;
  /** Stops sending, and releases the feed. */
  readonly leave: () => void;
  readonly orphanTimer: NodeJS.Timeout;
}

/** The WHIP targets of this process, which it sends to on behalf of the live processes of this machine. */
export class WhipTargets {
  readonly #options: WhipTargetsOptions;
  readonly #openTargets = new Map<string, OpenTarget>();
  /** Number of targets that are being connected. */
  #openingCount = 0;

  constructor(options: WhipTargetsOptions) {
    this.#options = options;
  }

  /** Handlers of internal HTTP requests, by path. */
  get writes(): InternalWrites {
    return {
      [whipRequestPath]: async (body) => {
        const request = parseWhipRequest(body);
        if (!request) return errorAnswer(400, 'The body is not a valid request.');
        return jsonAnswer(200, await this.answer(request));
      },
    };
  }

  /** Handles a request of a live process. */
  async answer(request: WhipRequest): Promise<WhipReply> {
    switch (request.kind) {
      case 'open':
        return this.#open(request);
      case 'test':
        return this.#test(request);
      case 'progress':
        return this.#progressOf(request.id);
      case 'close':
        return this.#close(request.id);
    }
  }

  /** Closes all targets. May be called twice. */
  async close(): Promise<void> {
    await Promise.all([...this.#openTargets.keys()].map((id) => this.#close(id)));
  }

  async #open(request: WhipOpenRequest): Promise<WhipReply> {
    if (this.#openTargets.size + this.#openingCount >= MAX_TARGETS)
      return replyOfFinding({ outcome: 'interrupted' });
    this.#openingCount += 1;
    try {
      return await this.#connect(request);
    } finally {
      this.#openingCount -= 1;
    }
  }

  async #connect({
    live,
    streamId,
    playbackId,
    folder,
    url,
    token,
    videoOnly,
  }: WhipOpenRequest): Promise<WhipReply> {
    const { feeds, requestKeyframe } = this.#options;
    const feed = feeds.open({ liveUrl: live, playbackId, folder });
    const release = feed.hold();
    const rejection = !(await feed.whenReady) ? 'interrupted' : feed.isReordered ? 'b_frames' : null;
    const onKeyframeRequest = () => requestKeyframe(streamId);
    const endpoint = { url, token };
    const target =
      rejection === null ? this.#createTarget(endpoint, { feed, videoOnly, onKeyframeRequest }) : null;
    const finding: TargetFinding | null = target
      ? await target.connect()
      : { outcome: rejection ?? 'url_invalid' };
    if (!target || finding) {
      release();
      return replyOfFinding(finding ?? { outcome: 'interrupted' });
    }
    const id = newId();
    const stopWatching = feed.watch(target);
    const leave = () => {
      stopWatching();
      release();
    };
    const orphanTimer = setTimeout(() => void this.#close(id), ORPHAN_TIMEOUT_MS);
    this.#openTargets.set(id, { target, feed, leave, orphanTimer });
    return { id, finding: null, bytes: 0, stalledMs: 0 };
  }

  #createTarget(
    { url, token }: Endpoint,
    { feed, videoOnly, onKeyframeRequest }: TargetMedia,
  ): WhipTarget | null {
    const { ctx, egress, sockets } = this.#options;
    const destination = parseWhipUrl(url);
    if (typeof destination === 'string') return null;
    const hasVideo = feed === null || feed.video !== null;
    return new WhipTarget({
      id: newId(),
      host: ctx.settings.host,
      destination: { ...destination, token },
      codecs: createTargetCodecs(feed?.video ?? null, { hasVideo, hasAudio: !videoOnly }),
      egress,
      sockets,
      clock: ctx.clock,
      log: ctx.log,
      onKeyframeRequest,
    });
  }

  async #test(endpoint: Endpoint): Promise<WhipReply> {
    const media = { feed: null, videoOnly: false, onKeyframeRequest: () => undefined };
    const target = this.#createTarget(endpoint, media);
    return replyOfFinding(target ? await target.test() : { outcome: 'url_invalid' });
  }

  #progressOf(id: string): WhipReply {
    const openTarget = this.#openTargets.get(id);
    if (!openTarget) return replyOfFinding({ outcome: 'interrupted' });
    openTarget.orphanTimer.refresh();
    const { target, feed } = openTarget;
    const { finding, sentBytes: bytes, stalledMs } = target;
    return { id, finding: finding && feed.isReordered ? { outcome: 'b_frames' } : finding, bytes, stalledMs };
  }

  async #close(id: string): Promise<WhipReply> {
    const openTarget = this.#openTargets.get(id);
    this.#openTargets.delete(id);
    if (openTarget) {
      clearTimeout(openTarget.orphanTimer);
      openTarget.leave();
      await openTarget.target.close();
    }
    return { id: null, finding: null, bytes: openTarget?.target.sentBytes ?? 0, stalledMs: 0 };
  }
}

interface Endpoint {
  readonly url: string;
  readonly token: string | null;
}

interface TargetMedia {
  /** Feed of the stream; null in a test, which sends nothing. */
  readonly feed: Pick<ViewerFeed, 'video'> | null;
  readonly videoOnly: boolean;
  readonly onKeyframeRequest: () => void;
}
