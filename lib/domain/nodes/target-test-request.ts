import { z } from 'zod';
import type { Context } from '@/lib/domain/context';
import { AppError } from '@/lib/core/errors';
import { targetTestOutcomes, type TargetTestFinding } from '@/lib/core/targets/target-test';
import type { Secrets } from '@/lib/infra/secrets';
import { askNode } from './ask-node';
import { findNodes } from './nodes';
import { defined } from '@/lib/core/defined';

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

const ownerOf = (teamId: string) => ({ kind: 'target-test', id: teamId, teamId }) as const;

/** Request body with a sealed URL, because nodes may communicate over a network without TLS. */
function sealTestRequest(secrets: Secrets, { teamId, url }: TargetTestRequest): string {
  const sealed = secrets.seal(ownerOf(teamId), url).toString('base64');
  return JSON.stringify({ teamId, sealed } satisfies z.input<typeof sealedRequest>);
}

/** Request in a body; null if the body is malformed. */
export function openTargetTestRequest(secrets: Secrets, body: string): TargetTestRequest | null {
  try {
    const { teamId, sealed } = sealedRequest.parse(JSON.parse(body));
    return { teamId, url: secrets.open(ownerOf(teamId), Buffer.from(sealed, 'base64')) };
  } catch {
    return null;
  }
}

/** The node for the tests of a team; other teams use others. Undefined without a node. Exported for its test. */
export const nodeOfTeam = (urls: readonly string[], teamId: string): string | undefined =>
  [...urls].sort()[Number.parseInt(teamId.slice(-8), 16) % urls.length];

/** Five missed heartbeats: a live node sends one every 2 s. */
const seenWithinMs = 10_000;
/** Longer than a test takes, including the exit of ffmpeg. */
const timeoutMs = 15_000;
const retrySeconds = 5;

/**
 * Runs a target test on a live node, because live nodes send the streams and may have another network. All tests of a team
 * go to the same node, which runs one of them at a time.
 * @throws AppError `conflict` while another test of the team runs, `unavailable`
 */
export async function requestTargetTest(
  ctx: Context,
  request: TargetTestRequest,
): Promise<TargetTestFinding> {
  const nodes = await findNodes(ctx, seenWithinMs);
  const urls = nodes.flatMap((node) => (node.role === 'live' ? [node.url] : []));
  const url = nodeOfTeam(urls, request.teamId);
  if (url === undefined) throw unavailable();
  const body = sealTestRequest(ctx.secrets, request);
  const response = await askNode(ctx, { url, path: targetTestPath, body, timeoutMs }).catch(
    (error: unknown) => {
      ctx.log.warn({ err: error }, 'live node did not respond');
      throw unavailable();
    },
  );
  if (response.status === 409) {
    throw new AppError('conflict', 'another test of a target is running: try again when it has ended');
  }
  if (!response.ok) throw unavailable();
  const { outcome, detail } = findingSchema.parse(JSON.parse(response.body));
  return { outcome, ...defined({ detail }) };
}

const unavailable = () =>
  new AppError('unavailable', 'targets can’t be tested at the moment, try again', {
    retryAfter: retrySeconds,
  });
