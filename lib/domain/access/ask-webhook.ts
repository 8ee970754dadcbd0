import { SingleFlight } from '@/lib/core/single-flight';
import { LRUCache } from 'lru-cache';
import type { Context } from '@/lib/domain/context';
import { accessControlEvent } from '@/lib/core/webhooks/events';
import type { Egress, EgressReply } from '@/lib/infra/egress/egress';
import { newId } from '@/lib/infra/ids';
import { signatureHeaders } from '@/lib/domain/webhooks';
import type { AccessRules } from './access-rules';
import { digestOf } from './playback-tokens';

/** Timeout of the request to the webhook; a viewer waits for it. */
const TIMEOUT_MS = 5_000;
const MAX_RESPONSE_BYTES = 16_384;
/** Concurrent requests per webhook. A slow receiver delays only its own viewers. */
const MAX_CONCURRENT = 50;
const MAX_QUEUED_REQUESTS = 5_000;
const MAX_CACHED_VERDICTS = 50_000;
/** Maximum time for which one verdict is used for other viewers with the same access key. */
const MAX_SHARED_SECONDS = 3_600;
/** Interval at which the webhook is asked about a current viewer, unless the policy has a `refreshInterval`. */
const DEFAULT_REFRESH_SECONDS = 600;
/** Interval between requests to a receiver that does not respond. */
const RETRY_INTERVAL_MS = 10_000;

type Verdict = 'allow' | 'deny';

interface CachedVerdict {
  readonly verdict: Verdict;
  /** Monotonic milliseconds, as are the other times of this interface. */
  readonly decidedAt: number;
  /** Until this time, other viewers with the same access key get the same verdict. */
  readonly sharedUntil: number;
  /** Time of the last request, whether or not the receiver responded. */
  readonly requestedAt: number;
}

interface WebhookAdmissionOptions extends Pick<Context, 'db' | 'clock' | 'secrets' | 'log'> {
  readonly egress: Pick<Egress, 'fetch'>;
}

/**
 * Asks access-control webhooks who may watch. Equal requests are sent once. Decisions are cached in this process: for new
 * viewers for `max-age` of the response, for current viewers for `refreshInterval`.
 */
export class WebhookAdmission {
  readonly #options: WebhookAdmissionOptions;
  readonly #cachedVerdicts = new LRUCache<string, CachedVerdict>({ max: MAX_CACHED_VERDICTS });
  readonly #requests = new SingleFlight<Verdict | null>();
  /** By webhook id: the number of requests that run, and functions with which the waiting ones continue. */
  readonly #queues = new Map<string, { running: number; readonly waiting: (() => void)[] }>();

  constructor(options: WebhookAdmissionOptions) {
    this.#options = options;
  }

  /** The verdict for a viewer who starts playback; null if the receiver does not respond. */
  async admit(rules: AccessRules, accessKey: string): Promise<Verdict | null> {
    const key = keyOf(rules, accessKey);
    const cachedVerdict = this.#cachedVerdicts.get(key);
    if (cachedVerdict && this.#now < cachedVerdict.sharedUntil) return cachedVerdict.verdict;
    return (await this.#askOnce(key, rules, accessKey)) ?? fallbackOf(rules);
  }

  /**
   * Whether an admitted viewer may continue. Never waits: while the receiver is asked again, its previous verdict counts.
   * After a restart of this process, the viewer may continue until the receiver responds.
   */
  mayContinue(rules: AccessRules, accessKey: string): boolean {
    const key = keyOf(rules, accessKey);
    const cachedVerdict = this.#cachedVerdicts.get(key);
    const refreshMs = (rules.policy.refreshInterval ?? DEFAULT_REFRESH_SECONDS) * 1_000;
    const ageMs = cachedVerdict ? this.#now - cachedVerdict.decidedAt : Infinity;
    if (ageMs >= refreshMs && !(cachedVerdict && this.#now - cachedVerdict.requestedAt < RETRY_INTERVAL_MS)) {
      void this.#askOnce(key, rules, accessKey);
    }
    // A receiver that does not respond gets one more interval before the fallback applies.
    if (cachedVerdict && ageMs >= 2 * refreshMs) return fallbackOf(rules) === 'allow';
    return cachedVerdict?.verdict !== 'deny';
  }

  get #now(): number {
    return this.#options.clock.monotonic();
  }

  #askOnce(key: string, rules: AccessRules, accessKey: string): Promise<Verdict | null> {
    const ask = () => this.#withSlot(rules, () => this.#requestVerdict(key, rules, accessKey));
    return this.#requests.run(key, () =>
      ask().catch((error: unknown) => {
        const { webhookId } = rules.policy;
        this.#options.log.info({ err: error, webhookId }, 'access-control webhook did not respond');
        const cachedVerdict = this.#cachedVerdicts.get(key);
        // Records the attempt, so that a running playback does not repeat it with every request.
        if (cachedVerdict) this.#cachedVerdicts.set(key, { ...cachedVerdict, requestedAt: this.#now });
        return null;
      }),
    );
  }

  async #withSlot<T>(rules: AccessRules, work: () => Promise<T>): Promise<T> {
    const id = rules.policy.webhookId ?? '';
    const queue = this.#queues.get(id) ?? { running: 0, waiting: [] };
    this.#queues.set(id, queue);
    if (queue.running >= MAX_CONCURRENT) {
      if (queue.waiting.length >= MAX_QUEUED_REQUESTS)
        throw new Error('too many requests wait for this webhook');
      await new Promise<void>((resume) => queue.waiting.push(resume));
    } else queue.running += 1;
    try {
      return await work();
    } finally {
      // The slot passes to the next request, so `running` stays the same.
      const resumeNext = queue.waiting.shift();
      if (resumeNext) resumeNext();
      else if ((queue.running -= 1) === 0) this.#queues.delete(id);
    }
  }

  async #requestVerdict(key: string, rules: AccessRules, accessKey: string): Promise<Verdict> {
    const { clock, egress, db } = this.#options;
    const { teamId, policy } = rules;
    const webhook = await db.webhook.findFirst({
      where: { id: policy.webhookId ?? '', teamId, disabled: false, deletedAt: null },
    });
    if (!webhook) throw new Error('the webhook is disabled or deleted');
    const secretContext = { kind: 'webhook-secret', id: webhook.id, teamId } as const;
    const secrets = [webhook.secretSealed, webhook.secretPreviousSealed].flatMap((sealedSecret) =>
      sealedSecret ? [this.#options.secrets.open(secretContext, sealedSecret)] : [],
    );
    const id = newId();
    const timestamp = clock.now().getTime();
    const body = JSON.stringify({
      id,
      webhookId: webhook.id,
      event: accessControlEvent,
      timestamp,
      playbackId: rules.id,
      accessKey,
      context: policy.webhookContext ?? {},
    });
    const reply = await egress.fetch(webhook.url, {
      method: 'POST',
      body,
      timeoutMs: TIMEOUT_MS,
      maxReplyBytes: MAX_RESPONSE_BYTES,
      connectionKey: webhook.id,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Headwater-Webhooks/1',
        accept: '*/*',
        ...signatureHeaders({ id, timestamp, body, secrets }),
      },
    });
    const verdict = await readVerdict(reply);
    const decidedAt = this.#now;
    const sharedUntil = decidedAt + this.#sharedSeconds(rules, reply) * 1_000;
    this.#cachedVerdicts.set(key, { verdict, decidedAt, requestedAt: decidedAt, sharedUntil });
    return verdict;
  }

  /** How long other viewers with the same access key get the verdict of this reply, in seconds. */
  #sharedSeconds({ policy }: AccessRules, { headers }: EgressReply): number {
    const cacheControl = String(headers['cache-control'] ?? '');
    if (/\bno-(?:store|cache)\b/i.test(cacheControl)) return 0;
    const [, maxAge] = /\bmax-age=(\d{1,9})\b/i.exec(cacheControl) ?? [];
    const refreshSeconds = policy.refreshInterval ?? DEFAULT_REFRESH_SECONDS;
    return maxAge === undefined ? 0 : Math.min(Number(maxAge), refreshSeconds, MAX_SHARED_SECONDS);
  }
}

/** The policy version is part of the key, so a new policy discards cached decisions. */
const keyOf = ({ id, version }: AccessRules, accessKey: string) => `${id} ${version} ${digestOf(accessKey)}`;

/** Verdict while the receiver does not respond; null to reject viewers with `webhook_unreachable`. */
const fallbackOf = ({ policy }: AccessRules): Verdict | null =>
  policy.webhookFallback === 'allow' ? 'allow' : null;

/** @throws Error if the response contains no decision: 429 and 5xx say that the receiver could not decide */
async function readVerdict({ status, body }: EgressReply): Promise<Verdict> {
  const chunks: Buffer[] = [];
  for await (const chunk of body as AsyncIterable<Buffer>) chunks.push(chunk);
  if (status >= 500 || status === 429) throw new Error(`the receiver responded with ${status}`);
  if (status < 200 || status >= 300) return 'deny';
  const text = Buffer.concat(chunks).toString('utf8');
  return bodyRejects(text) ? 'deny' : 'allow';
}

/** Whether a body rejects: receivers written for other servers respond with 200 and a number `ret` of 300 or more. */
function bodyRejects(text: string): boolean {
  try {
    const body: unknown = JSON.parse(text);
    const ret = typeof body === 'object' && body !== null && 'ret' in body ? Number(body.ret) : NaN;
    return ret >= 300;
  } catch {
    return false;
  }
}
