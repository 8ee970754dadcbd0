import type { TargetFinding } from '@/lib/core/targets/target-test';
import { whipDestination } from '@/lib/core/targets/whip-url';
import type { SystemContext } from '@/lib/domain/context';
import type { Egress } from '@/lib/infra/egress/egress';
import type { EgressSockets } from '@/lib/infra/egress/egress-socket';
import { newId } from '@/lib/infra/ids';
import { errorAnswer, jsonAnswer } from '@/media-worker/kit/http/answer';
import type { InternalWrites } from '@/media-worker/kit/http/internal-writes';
import {
  readWhipOrder,
  replyOfFinding,
  type WhipOpenOrder,
  type WhipOrder,
  whipOrderPath,
  type WhipReply,
} from '@/media-worker/live/push/whip-orders';
import type { LiveFeeds } from '@/media-worker/rtc/live-feeds';
import { ViewerFeed } from '@/media-worker/rtc/viewers/viewer-feed';
import { targetCodecs } from './target-codecs';
import { WhipTarget } from './whip-target';

interface WhipTargetsOptions {
  readonly ctx: Pick<SystemContext, 'clock' | 'log' | 'settings'>;
  readonly feeds: Pick<LiveFeeds, 'join'>;
  readonly egress: Pick<Egress, 'fetch'>;
  readonly sockets: Pick<EgressSockets, 'resolve'>;
}

/** A push that no live process asks about has lost it. */
const FORGOTTEN_MS = 30_000;
const MAX_PUSHES = 1_000;

interface Push {
  readonly target: WhipTarget;
  readonly feed: ViewerFeed;
  readonly leave: () => void;
  forgetting: NodeJS.Timeout;
}

/** Multistream targets that take WHIP, on behalf of the live processes of this machine. */
export class WhipTargets {
  readonly #options: WhipTargetsOptions;
  readonly #pushes = new Map<string, Push>();
  /** Pushes that are being opened. */
  #opening = 0;

  constructor(options: WhipTargetsOptions) {
    this.#options = options;
  }

  get writes(): InternalWrites {
    return {
      [whipOrderPath]: async (body) => {
        const order = readWhipOrder(body);
        if (!order) return errorAnswer(400, 'Not an order of this version.');
        return jsonAnswer(200, await this.answer(order));
      },
    };
  }

  async answer(order: WhipOrder): Promise<WhipReply> {
    switch (order.kind) {
      case 'open':
        return this.#open(order);
      case 'test':
        return this.#test(order);
      case 'progress':
        return this.#progressOf(order.id);
      case 'close':
        return this.#close(order.id);
    }
  }

  /** Ends everything. May be called twice. */
  async close(): Promise<void> {
    await Promise.all([...this.#pushes.keys()].map((id) => this.#close(id)));
  }

  async #open(order: WhipOpenOrder): Promise<WhipReply> {
    if (this.#pushes.size + this.#opening >= MAX_PUSHES) return replyOfFinding({ outcome: 'interrupted' });
    this.#opening += 1;
    try {
      return await this.#connect(order);
    } finally {
      this.#opening -= 1;
    }
  }

  async #connect({ live, path, url, token, videoOnly }: WhipOpenOrder): Promise<WhipReply> {
    const { ctx, feeds } = this.#options;
    const feed = new ViewerFeed({
      clock: ctx.clock,
      join: () => feeds.join({ live, path }),
      trouble: (reason) => reason && ctx.log.warn({ reason }, 'sound of a WHIP target not encoded'),
      onOver: () => undefined,
    });
    const isReady = await feed.ready;
    const refusal = !isReady ? 'interrupted' : feed.isReordered ? 'b_frames' : null;
    const target = refusal === null ? this.#targetOf({ url, token }, feed, videoOnly) : null;
    const finding: TargetFinding | null = target
      ? await target.connect()
      : { outcome: refusal ?? 'url_invalid' };
    if (!target || finding) {
      feed.close();
      await target?.close();
      return replyOfFinding(finding ?? { outcome: 'interrupted' });
    }
    const id = newId();
    const forgetting = setTimeout(() => void this.#close(id), FORGOTTEN_MS);
    this.#pushes.set(id, { target, feed, leave: feed.watch(target), forgetting });
    return { id, finding: null, bytes: 0, stalledMs: 0 };
  }

  #targetOf(to: Endpoint, feed: ViewerFeed | null, videoOnly: boolean): WhipTarget | null {
    const { ctx, egress, sockets } = this.#options;
    const destination = whipDestination(to.url);
    if (typeof destination === 'string') return null;
    const hasPicture = feed === null || feed.picture !== null;
    const codecs = targetCodecs(feed?.picture ?? null, { hasPicture, hasSound: !videoOnly });
    return new WhipTarget({
      id: newId(),
      host: ctx.settings.host,
      destination: { ...destination, token: to.token },
      codecs,
      egress,
      sockets,
      clock: ctx.clock,
      log: ctx.log,
    });
  }

  async #test({ url, token }: Endpoint): Promise<WhipReply> {
    const target = this.#targetOf({ url, token }, null, false);
    return replyOfFinding(target ? await target.test() : { outcome: 'url_invalid' });
  }

  #progressOf(id: string): WhipReply {
    const push = this.#pushes.get(id);
    if (!push) return replyOfFinding({ outcome: 'interrupted' });
    push.forgetting.refresh();
    const { target, feed } = push;
    const { finding, bytes, stalledMs } = target;
    return { id, finding: finding && feed.isReordered ? { outcome: 'b_frames' } : finding, bytes, stalledMs };
  }

  async #close(id: string): Promise<WhipReply> {
    const push = this.#pushes.get(id);
    this.#pushes.delete(id);
    if (push) {
      clearTimeout(push.forgetting);
      push.leave();
      push.feed.close();
      await push.target.close();
    }
    return { id: null, finding: null, bytes: push?.target.bytes ?? 0, stalledMs: 0 };
  }
}

interface Endpoint {
  readonly url: string;
  readonly token: string | null;
}
