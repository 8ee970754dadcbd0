import { z } from 'zod';
import type { Context } from '@/lib/domain/context';
import { AppError } from '@/lib/core/errors';
import { targetTestOutcomes, type TargetTestFinding } from '@/lib/core/targets/target-finding';
import type { Secrets } from '@/lib/infra/secrets';
import { askNode } from './ask-node';
import { findNodes } from './nodes';
import { omitUndefined } from '@/lib/core/omit-undefined';

/** Path at which a live node receives target tests. */
export const targetTestPath = '/target-tests';

/** Team of the test, and the target URL with its key. */
export interface TargetTestRequest {
  readonly teamId: string;
  readonly url: string;
}

const sealedRequest = z.strictObject({ teamId: z.uuid(), sealed: z.base64() });
const findingSchema = z.strictObject({
  outcome: z.enum(targetTestOutcomes),
  detail: z.string().optional(),
});

const secretContextOf = (teamId: string) => ({ kind: 'target-test', id: teamId, teamId }) as const;

/** Request body with a sealed URL, because nodes may communicate over a network without TLS. */
function sealTargetTestRequest(secrets: Secrets, { teamId, url }: TargetTestRequest): string {
  const sealedUrl = secrets.seal(secretContextOf(teamId), url).toString('base64');
  return JSON.stringify({ teamId, sealed: sealedUrl } satisfies z.input<typeof sealedRequest>);
}

/** Parses and decrypts a request body; null if it is malformed. */
export function openTargetTestRequest(secrets: Secrets, body: string): TargetTestRequest | null {
  try {
    const { teamId, sealed } = sealedRequest.parse(JSON.parse(body));
    return { teamId, url: secrets.open(secretContextOf(teamId), Buffer.from(sealed, 'base64')) };
  } catch {
    return null;
  }
}

/** The node for the tests of a team; other teams use others. Undefined without a node. Exported for its test. */
export const nodeOfTeam = (urls: readonly string[], teamId: string): string | undefined =>
  [...urls].sort()[Number.parseInt(teamId.slice(-8), 16) % urls.length];

/** Silence after which a live node is not asked: five missed heartbeats, as live nodes send one every 2 s. */
const SEEN_WITHIN_MS = 10_000;
/** Timeout of the request, longer than a test takes, including the exit of ffmpeg. */
const TIMEOUT_MS = 15_000;
const RETRY_AFTER_SECONDS = 5;

/**
 * Runs a target test on a live node, because live nodes send the streams and may have another network. All tests go to the
 * same node while the live nodes stay the same, so that tests of one team cannot overlap.
 * @throws AppError `conflict` while another test of the team runs, `unavailable`
 */
export async function requestTargetTest(
  ctx: Context,
  request: TargetTestRequest,
): Promise<TargetTestFinding> {
  const nodes = await findNodes(ctx, SEEN_WITHIN_MS);
  const urls = nodes.flatMap((node) => (node.role === 'live' ? [node.url] : []));
  const url = nodeOfTeam(urls, request.teamId);
  if (url === undefined) throw unavailableError();
  const body = sealTargetTestRequest(ctx.secrets, request);
  const response = await askNode(ctx, { url, path: targetTestPath, body, timeoutMs: TIMEOUT_MS }).catch(
    (error: unknown) => {
      ctx.log.warn({ err: error }, 'live node did not respond');
      throw unavailableError();
    },
  );
  if (response.status === 409) {
    throw new AppError('conflict', 'another test of a target is running: try again when it has ended');
  }
  if (!response.ok) throw unavailableError();
  const { outcome, detail } = findingSchema.parse(JSON.parse(response.body));
  return { outcome, ...omitUndefined({ detail }) };
}

const unavailableError = () =>
  new AppError('unavailable', 'targets can’t be tested at the moment, try again', {
    retryAfter: RETRY_AFTER_SECONDS,
  });
