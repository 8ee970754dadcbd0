import type { Endpoint } from '@/lib/contract/define-endpoint';
import { idempotencyKey, acceptsIdempotencyKeys } from '@/lib/contract/idempotency';
import { AppError } from '@/lib/core/errors';
import { runIdempotently, type Answer } from '@/lib/domain/idempotency';
import { type Exchange, teamContextOf } from './exchange';
import type { Input } from './read-input';
import { calledUrl } from './studio-dialect';

/** Response headers that are replayed. Other headers belong to a single request. */
const replayedHeaders = ['content-type', 'location'] as const;

/**
 * Runs a POST with an `Idempotency-Key` once and replays its response for repetitions. Keys are scoped to the team; two
 * requests are equal if method, path and validated input are.
 * @throws AppError `bad_request` for an invalid key, `conflict`, `invalid`
 */
export async function respondIdempotently(
  exchange: Exchange,
  endpoint: Endpoint,
  input: Input,
  respond: () => Promise<Response>,
): Promise<Response> {
  const key = acceptsIdempotencyKeys(endpoint) ? readKey(exchange) : null;
  if (key === null) return respond();
  const { request, headers } = exchange;
  const { query, body } = input;
  const content = JSON.stringify([request.method, calledUrl(request).pathname, query, body]);
  const { answer, replayed } = await runIdempotently(teamContextOf(exchange), { key, content }, async () =>
    readAnswer(await respond()),
  );
  for (const [name, value] of Object.entries(answer.headers)) headers.set(name, value);
  if (replayed) headers.set('idempotency-replayed', 'true');
  return new Response(answer.body, { status: answer.status, headers });
}

function readKey({ request }: Exchange): string | null {
  const keyHeader = request.headers.get('idempotency-key');
  if (keyHeader === null) return null;
  const result = idempotencyKey.safeParse(keyHeader);
  if (!result.success) {
    throw new AppError('bad_request', {
      field: 'Idempotency-Key',
      message: 'must have 1 to 255 visible ASCII characters',
    });
  }
  return result.data;
}

async function readAnswer(response: Response): Promise<Answer> {
  const headers = replayedHeaders.flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  return {
    status: response.status,
    headers: Object.fromEntries(headers),
    body: response.body === null ? null : await response.text(),
  };
}
