import type { SystemContext } from '@/lib/domain/context';
import { loggedResponseHeaders } from '@/lib/core/reply-text';
import { readRetryAfter } from '@/lib/core/webhooks/retry-schedule';
import type { Egress, EgressReply } from '@/lib/infra/egress/egress';
import { EgressError } from '@/lib/infra/egress/egress-error';
import { currentTraceparent } from '@/lib/infra/tracing';
import type { StartedDelivery } from './start-deliveries';
import { signatureHeaders } from './sign-delivery';
import { omitUndefined } from '@/lib/core/omit-undefined';

/** Timeout of one attempt, from opening the connection to reading the response. */
const DEFAULT_TIMEOUT_MS = 15_000;
/** Maximum bytes of the response body that are read. */
const MAX_READ_BYTES = 16_384;
/** Maximum bytes of the response body that the log stores. */
const MAX_LOGGED_BYTES = 1_024;

/** A request as it was sent, for the log. */
export interface SentRequest {
  readonly url: string;
  readonly method: 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Part of a response that the log stores. */
interface LoggedResponse {
  readonly statusText: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Base64 text. */
  readonly body: string;
}

/** Result of one attempt, before the next attempt is planned. */
export interface Outcome {
  /** `stopped`: the process shut down, and the attempt does not count. */
  readonly result: 'accepted' | 'rejected' | 'gone' | 'skipped' | 'stopped';
  /** Reason of the failure, as a message for the user. */
  readonly error?: string;
  readonly request?: SentRequest;
  readonly status?: number;
  readonly response?: LoggedResponse;
  /** IP address of the receiver; absent without a connection. */
  readonly ip?: string;
  readonly retryAfterMs?: number | undefined;
  readonly durationMs: number;
}

const skipMessages = {
  disabled: 'skipped: the webhook is disabled',
  deleted: 'skipped: the webhook was deleted',
  suspended: 'skipped: the team is suspended',
} as const;

/**
 * Sends one delivery with a signature over the exact bytes of the body. Redirects are not followed. Failed connections and
 * error responses are returned as outcomes, not thrown.
 */
export async function sendDelivery(
  ctx: SystemContext,
  egress: Egress,
  attempt: StartedDelivery,
  { signal, timeoutMs = DEFAULT_TIMEOUT_MS }: { readonly signal: AbortSignal; readonly timeoutMs?: number },
): Promise<Outcome> {
  if (attempt.blockedBy) return { result: 'skipped', error: skipMessages[attempt.blockedBy], durationMs: 0 };
  const request = createRequest(ctx, attempt);
  let ip: string | undefined;
  const onConnected = (address: string) => (ip = address);
  const startedAt = ctx.clock.monotonic();
  const attemptFields = () => ({
    request,
    durationMs: Math.round(ctx.clock.monotonic() - startedAt),
    ...omitUndefined({ ip }),
  });
  try {
    const { method, headers, body } = request;
    // A long response is no error: `readBodyStart` reads its start only.
    const maxReplyBytes = Number.MAX_SAFE_INTEGER;
    const reply = await egress.fetch(request.url, {
      method,
      headers,
      body,
      signal,
      timeoutMs,
      maxReplyBytes,
      connectionKey: attempt.webhookId,
      onConnected,
    });
    const text = await readBodyStart(reply);
    return { ...outcomeOf(reply, ctx.clock.now().getTime(), text), ...attemptFields() };
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    const result = error.failure === 'aborted' ? 'stopped' : 'rejected';
    if (result === 'rejected')
      ctx.log.info(
        { err: error, webhookId: attempt.webhookId, deliveryId: attempt.id },
        'webhook delivery failed',
      );
    return { result, error: error.message, ...attemptFields() };
  }
}

/** The request of an attempt. All attempts of a delivery have the same event id; each has a new timestamp and signature. */
function createRequest(ctx: SystemContext, attempt: StartedDelivery): SentRequest {
  const { eventId: id, webhookId, url, event, sequence, test, payload, happenedAt } = attempt;
  const timestamp = ctx.clock.now().getTime();
  const parent = currentTraceparent();
  const storedPayload = typeof payload === 'object' ? payload : {};
  const body = JSON.stringify({
    id,
    webhookId,
    createdAt: happenedAt.getTime(),
    timestamp,
    event,
    ...(sequence === null ? {} : { sequence }),
    ...(test ? { test } : {}),
    ...storedPayload,
  });
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Headwater-Webhooks/1',
    accept: '*/*',
    ...(parent === null ? {} : { traceparent: parent }),
    ...signatureHeaders({ id, timestamp, body, secrets: secretsOf(ctx, attempt) }),
  };
  return { url, method: 'POST', headers, body };
}

/** The secret of the webhook, and the previous one while both are valid. */
function secretsOf(ctx: SystemContext, attempt: StartedDelivery): string[] {
  const secretContext = { kind: 'webhook-secret', id: attempt.webhookId, teamId: attempt.teamId } as const;
  const sealedSecrets = [attempt.secretSealed, attempt.secretPreviousSealed];
  return sealedSecrets.flatMap((sealedSecret) =>
    sealedSecret ? [ctx.secrets.open(secretContext, sealedSecret)] : [],
  );
}

/** Reads the start of the response body and discards the rest. */
async function readBodyStart({ body }: EgressReply): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    // Leaving the loop destroys the body and its connection.
    if (bytes >= MAX_READ_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, MAX_LOGGED_BYTES);
}

function outcomeOf({ status, statusText, headers }: EgressReply, now: number, bodyStart: Buffer) {
  const response = {
    statusText: statusText.slice(0, 200).replaceAll('\0', ''),
    headers: loggedResponseHeaders(headers),
    body: bodyStart.toString('base64'),
  };
  if (status >= 200 && status < 300) return { result: 'accepted', status, response } as const;
  const redirectNote = status >= 300 && status < 400 ? ', and redirects are not followed' : '';
  const error = `the receiver answered ${status}${redirectNote}`;
  if (status === 410) return { result: 'gone', status, response, error } as const;
  const retryAfter = headers['retry-after'];
  const retryAfterMs = readRetryAfter(typeof retryAfter === 'string' ? retryAfter : undefined, now);
  return { result: 'rejected', status, response, error, retryAfterMs } as const;
}
