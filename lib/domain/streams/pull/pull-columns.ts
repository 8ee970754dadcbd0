import type { Pull, PullInput, PullStatus } from '@/lib/contract/streams/pull';
import { AppError } from '@/lib/core/errors';
import { reasonField } from '@/lib/core/reasons/reason';
import { maskPullSource } from '@/lib/core/streams/pull/pull-source';
import type { PullReport } from '@/lib/core/streams/pull/pull-state';
import { omitUndefined } from '@/lib/core/omit-undefined';
import type { TeamContext } from '@/lib/domain/context';
import { Prisma, type Stream } from '@/lib/generated/prisma/client';
import type { Secrets } from '@/lib/infra/secrets';

type Owner = Pick<Stream, 'id' | 'teamId'>;

/** URL and headers of a source, which are stored encrypted. */
interface PullSecrets {
  readonly source: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const secretContextOf = ({ id, teamId }: Owner) => ({ kind: 'pull-source', id, teamId }) as const;

/** Columns of a stream without a pull. The node that pulls the stream notices the change and ends its publish. */
const noPullColumns = {
  pullSealed: null,
  pullSourceHash: null,
  pullStartedAt: null,
  pullOptions: Prisma.DbNull,
  pullReport: Prisma.DbNull,
};

/**
 * The columns of a requested pull; empty if the body has none. The pull is started, even if it is unchanged.
 * @throws AppError `forbidden` (restricted key), `invalid` (pulling is disabled)
 */
export function pullColumns(ctx: TeamContext, stream: Owner, pull: PullInput | null | undefined) {
  if (pull === undefined) return {};
  if (ctx.actor.restricted)
    throw new AppError('forbidden', {
      field: 'pull',
      message: 'not for CORS-enabled API keys with restricted access',
    });
  if (pull === null) return noPullColumns;
  checkPullingEnabled(ctx);
  const { source, headers, isMobile, location } = pull;
  const pullSecrets: PullSecrets = { source, ...(headers && { headers }) };
  const options = { ...omitUndefined({ isMobile }), ...(location && { location }) };
  return {
    pullSealed: ctx.secrets.seal(secretContextOf(stream), JSON.stringify(pullSecrets)),
    pullSourceHash: pullSourceHash(ctx.secrets, source),
    pullOptions: options,
    pullStartedAt: ctx.clock.now(),
    pullReport: Prisma.DbNull,
  };
}

/** @throws AppError `invalid` if pulling is disabled on this server */
export function checkPullingEnabled({ settings }: Pick<TeamContext, 'settings'>): void {
  if (settings.pullStreams === 0)
    throw new AppError('invalid', {
      field: 'pull',
      message: 'this server pulls no streams (PULL_STREAMS is 0)',
    });
}

/** Fingerprint by which a pull is found by its URL, which is stored encrypted. */
export const pullSourceHash = (secrets: Secrets, source: string): Buffer<ArrayBuffer> =>
  secrets.fingerprint('pull-source', source);

/** The URL and headers of a pull; null if the stream has none. */
export function openPull(stream: Owner & Pick<Stream, 'pullSealed'>, secrets: Secrets): PullSecrets | null {
  const { pullSealed } = stream;
  return pullSealed === null
    ? null
    : (JSON.parse(secrets.open(secretContextOf(stream), pullSealed)) as PullSecrets);
}

type PullRow = Owner & Pick<Stream, 'pullSealed' | 'pullOptions' | 'pullStartedAt' | 'pullReport'>;

/**
 * Fields `pull` and `pullStatus` of the stream object; empty without a pull.
 * @param withSecrets whether the URL and headers are included unmasked
 */
export function pullFields(
  row: PullRow,
  secrets: Secrets,
  withSecrets: boolean,
): { readonly pull?: Pull; readonly pullStatus?: PullStatus } {
  const pullSecrets = openPull(row, secrets);
  if (!pullSecrets) return {};
  const options = row.pullOptions as unknown as Omit<Pull, 'source' | 'headers'> | null;
  const { source, headers } = pullSecrets;
  const visibleSource = withSecrets
    ? { source, ...(headers && { headers }) }
    : { source: maskPullSource(source) };
  return { pull: { ...visibleSource, ...options }, pullStatus: statusOf(row) };
}

function statusOf({ pullStartedAt, pullReport }: PullRow): PullStatus {
  const report = pullReport as unknown as PullReport | null;
  const error = report?.error;
  const errorFields = error === undefined ? {} : { error, ...reasonField('errorReason', error) };
  if (pullStartedAt === null) return { state: 'stopped', since: null, ...errorFields };
  return {
    state: report?.state ?? 'waiting',
    since: report?.since ?? pullStartedAt.getTime(),
    ...errorFields,
  };
}

/** `issues` of a stream, including the issue of its pull. */
export function withPullIssue({ issues, pullReport }: Pick<Stream, 'issues' | 'pullReport'>): string[] {
  const { error } = (pullReport as unknown as PullReport | null) ?? {};
  return error === undefined ? issues : [...issues, error];
}
