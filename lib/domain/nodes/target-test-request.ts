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

/** The order as a body: sealed, because nodes may speak over a network without TLS. */
function sealTestRequest(secrets: Secrets, { teamId, url }: TargetTestRequest): string {
  const sealed = secrets.seal(ownerOf(teamId), url).toString('base64');
  return JSON.stringify({ teamId, sealed } satisfies z.input<typeof sealedRequest>);
}

/** Null for what none of our processes wrote. */
export function openTargetTestRequest(secrets: Secrets, body: string): TargetTestRequest | null {
  try {
    const { teamId, sealed } = sealedRequest.parse(JSON.parse(body));
    return { teamId, url: secrets.open(ownerOf(teamId), Buffer.from(sealed, 'base64')) };
  } catch {
    return null;
  }
}

/** A live node announces itself every 2 s. */
const seenWithinMs = 10_000;
/** More than a test takes, the end of ffmpeg included. */
const timeoutMs = 15_000;
const retrySeconds = 5;

/**
 * Lets a live node test a target: it is the process that sends streams, so its network is the one that counts. All tests
 * of a team go to the same node, which runs one of them at a time.
 * @throws AppError `conflict` while another test of the team runs, `unavailable`
 */
export async function orderTargetTest(ctx: Context, order: TargetTestRequest): Promise<TargetTestFinding> {
  const nodes = await findNodes(ctx, seenWithinMs);
  const [url] = nodes.flatMap((node) => (node.role === 'live' ? [node.url] : [])).sort();
  if (url === undefined) throw unavailable();
  const body = sealTestRequest(ctx.secrets, order);
  const response = await askNode(ctx, { url, path: targetTestPath, body, timeoutMs }).catch(
    (error: unknown) => {
      ctx.log.warn({ err: error }, 'live node does not answer');
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
