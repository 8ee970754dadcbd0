import { SingleFlight } from '@/lib/core/single-flight';
import { LRUCache } from 'lru-cache';
import type { Context } from '@/lib/domain/context';
import { accessControlEvent } from '@/lib/core/webhooks/events';
import type { Egress, EgressReply } from '@/lib/infra/egress/egress';
import { newId } from '@/lib/infra/ids';
import { signatureHeaders } from '@/lib/domain/webhooks';
import type { Gate } from './gate';
import { digestOf } from './playback-tokens';

const timeoutMs = 5_000;
const maxReadBytes = 16_384;
/** Concurrent requests per webhook. A slow receiver delays only its own viewers. */
const maxConcurrent = 50;
const maxQueuedRequests = 5_000;
const maxCachedAnswers = 50_000;
const maxAgeSeconds = 3_600;
const defaultRefreshSeconds = 600;
/** Interval between requests to a receiver that does not respond. */
const retryMs = 10_000;

type Verdict = 'allow' | 'deny';

interface CachedAnswer {
  readonly verdict: Verdict;
  /** Monotonic milliseconds, as are the other times of this interface. */
  readonly decidedAt: number;
  /** Until this time, other viewers with the same access key get the same answer. */
  readonly sharedUntil: number;
  /** Time of the last request, answered or not. */
  readonly askedAt: number;
}

interface WebhookGateOptions extends Pick<Context, 'db' | 'clock' | 'secrets' | 'log'> {
  readonly egress: Pick<Egress, 'fetch'>;
}

/**
 * Asks access-control webhooks who may watch. Equal requests are sent once. Decisions are cached in this process: for new
 * viewers for `max-age` of the response, for current viewers for `refreshInterval`.
 */
export class WebhookGate {
  readonly #options: WebhookGateOptions;
  readonly #known = new LRUCache<string, CachedAnswer>({ max: maxCachedAnswers });
  readonly #running = new SingleFlight<Verdict | null>();
  readonly #queues = new Map<string, { running: number; readonly waiting: (() => void)[] }>();

  constructor(options: WebhookGateOptions) {
    this.#options = options;
  }

  /** The verdict for a viewer who starts playback; null if the receiver does not respond. */
  async admit(gate: Gate, accessKey: string): Promise<Verdict | null> {
    const key = keyOf(gate, accessKey);
    const cachedAnswer = this.#known.get(key);
    if (cachedAnswer && this.#now < cachedAnswer.sharedUntil) return cachedAnswer.verdict;
    return (await this.#once(key, gate, accessKey)) ?? fallbackOf(gate);
  }

  /**
   * Whether an admitted viewer may continue. Never waits: while the receiver is asked again, its previous answer counts.
   * After a restart of this process the earlier admission counts.
   */
  mayContinue(gate: Gate, accessKey: string): boolean {
    const key = keyOf(gate, accessKey);
    const cachedAnswer = this.#known.get(key);
    const refreshMs = (gate.policy.refreshInterval ?? defaultRefreshSeconds) * 1_000;
    const age = cachedAnswer ? this.#now - cachedAnswer.decidedAt : Infinity;
    if (age >= refreshMs && !(cachedAnswer && this.#now - cachedAnswer.askedAt < retryMs)) {
      void this.#once(key, gate, accessKey);
    }
    // A receiver that does not respond gets one more interval before the fallback applies.
    if (cachedAnswer && age >= 2 * refreshMs) return fallbackOf(gate) === 'allow';
    return cachedAnswer?.verdict !== 'deny';
  }

  get #now(): number {
    return this.#options.clock.monotonic();
  }

  #once(key: string, gate: Gate, accessKey: string): Promise<Verdict | null> {
    const ask = () => this.#inTurn(gate, () => this.#ask(key, gate, accessKey));
    return this.#running.run(key, () =>
      ask().catch((error: unknown) => {
        const { webhookId } = gate.policy;
        this.#options.log.info({ err: error, webhookId }, 'access-control webhook did not respond');
        const cachedAnswer = this.#known.get(key);
        // Records the attempt, so that a running playback does not repeat it with every request.
        if (cachedAnswer) this.#known.set(key, { ...cachedAnswer, askedAt: this.#now });
        return null;
      }),
    );
  }

  async #inTurn<T>(gate: Gate, work: () => Promise<T>): Promise<T> {
    const id = gate.policy.webhookId ?? '';
    const queue = this.#queues.get(id) ?? { running: 0, waiting: [] };
    this.#queues.set(id, queue);
    if (queue.running >= maxConcurrent) {
      if (queue.waiting.length >= maxQueuedRequests)
        throw new Error('too many requests wait for this webhook');
      await new Promise<void>((resume) => queue.waiting.push(resume));
    } else queue.running += 1;
    try {
      return await work();
    } finally {
      const next = queue.waiting.shift();
      if (next) next();
      else if ((queue.running -= 1) === 0) this.#queues.delete(id);
    }
  }

  async #ask(key: string, gate: Gate, accessKey: string): Promise<Verdict> {
    const { clock, egress, db } = this.#options;
    const { teamId, policy } = gate;
    const webhook = await db.webhook.findFirst({
      where: { id: policy.webhookId ?? '', teamId, disabled: false, deletedAt: null },
    });
    if (!webhook) throw new Error('the webhook is disabled or deleted');
    const owner = { kind: 'webhook-secret', id: webhook.id, teamId } as const;
    const secrets = [webhook.secretSealed, webhook.secretPreviousSealed].flatMap((sealedSecret) =>
      sealedSecret ? [this.#options.secrets.open(owner, sealedSecret)] : [],
    );
    const id = newId();
    const timestamp = clock.now().getTime();
    const body = JSON.stringify({
      id,
      webhookId: webhook.id,
      event: accessControlEvent,
      timestamp,
      playbackId: gate.id,
      accessKey,
      context: policy.webhookContext ?? {},
    });
    const reply = await egress.fetch(webhook.url, {
      method: 'POST',
      body,
      timeoutMs,
      maxReplyBytes: maxReadBytes,
      keep: webhook.id,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Headwater-Webhooks/1',
        accept: '*/*',
        ...signatureHeaders({ id, timestamp, body, secrets }),
      },
    });
    const verdict = await verdictOf(reply);
    const decidedAt = this.#now;
    const sharedUntil = decidedAt + this.#sharedSeconds(gate, reply) * 1_000;
    this.#known.set(key, { verdict, decidedAt, askedAt: decidedAt, sharedUntil });
    return verdict;
  }

  #sharedSeconds({ policy }: Gate, { headers }: EgressReply): number {
    const cacheControl = String(headers['cache-control'] ?? '');
    if (/\bno-(?:store|cache)\b/i.test(cacheControl)) return 0;
    const [, maxAge] = /\bmax-age=(\d{1,9})\b/i.exec(cacheControl) ?? [];
    const refresh = policy.refreshInterval ?? defaultRefreshSeconds;
    return maxAge === undefined ? 0 : Math.min(Number(maxAge), refresh, maxAgeSeconds);
  }
}

/** The policy version is part of the key, so a new policy discards cached decisions. */
const keyOf = ({ id, version }: Gate, accessKey: string) => `${id} ${version} ${digestOf(accessKey)}`;

const fallbackOf = ({ policy }: Gate): Verdict | null =>
  policy.webhookFallback === 'allow' ? 'allow' : null;

/** @throws Error if the response contains no decision */
async function verdictOf({ status, body }: EgressReply): Promise<Verdict> {
  const chunks: Buffer[] = [];
  for await (const chunk of body as AsyncIterable<Buffer>) chunks.push(chunk);
  if (status >= 500 || status === 429) throw new Error(`the receiver responded with ${status}`);
  if (status < 200 || status >= 300) return 'deny';
  const text = Buffer.concat(chunks).toString('utf8');
  return refusesIn(text) ? 'deny' : 'allow';
}

/** Whether a body refuses: receivers written for other servers refuse in the body of a 200 response. */
function refusesIn(text: string): boolean {
  try {
    const body: unknown = JSON.parse(text);
    const ret = typeof body === 'object' && body !== null && 'ret' in body ? Number(body.ret) : NaN;
    return ret >= 300;
  } catch {
    return false;
  }
}
