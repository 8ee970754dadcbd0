import type { Pull, PullInput, PullStatus } from '@/lib/contract/streams/pull';
import { AppError } from '@/lib/core/errors';
import { reasonField } from '@/lib/core/reasons/reason';
import { maskedSource } from '@/lib/core/streams/pull/pull-source';
import type { PullReport } from '@/lib/core/streams/pull/pull-state';
import { defined } from '@/lib/core/defined';
import type { TeamContext } from '@/lib/domain/context';
import { Prisma, type Stream } from '@/lib/generated/prisma/client';
import type { Secrets } from '@/lib/infra/secrets';

type Owner = Pick<Stream, 'id' | 'teamId'>;

/** Secret fields of a source. */
interface SealedPull {
  readonly source: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const ownerOf = ({ id, teamId }: Owner) => ({ kind: 'pull-source', id, teamId }) as const;

/** Columns of a stream without a pull. The pulling node ends its publish. */
const noPull = {
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
  if (pull === null) return noPull;
  checkPulling(ctx);
  const { source, headers, isMobile, location } = pull;
  const sealed: SealedPull = { source, ...(headers && { headers }) };
  const options = { ...defined({ isMobile }), ...(location && { location }) };
  return {
    pullSealed: ctx.secrets.seal(ownerOf(stream), JSON.stringify(sealed)),
    pullSourceHash: pullSourceHash(ctx.secrets, source),
    pullOptions: options,
    pullStartedAt: ctx.clock.now(),
    pullReport: Prisma.DbNull,
  };
}

/** @throws AppError `invalid` if pulling is disabled */
export function checkPulling({ settings }: Pick<TeamContext, 'settings'>): void {
  if (settings.pullStreams === 0)
    throw new AppError('invalid', {
      field: 'pull',
      message: 'this server pulls no streams (PULL_STREAMS is 0)',
    });
}

export const pullSourceHash = (secrets: Secrets, source: string): Buffer<ArrayBuffer> =>
  secrets.fingerprint('pull-source', source);

/** The URL and headers of a pull; null if the stream has none. */
export function openPull(stream: Owner & Pick<Stream, 'pullSealed'>, secrets: Secrets): SealedPull | null {
  const { pullSealed } = stream;
  return pullSealed === null ? null : (JSON.parse(secrets.open(ownerOf(stream), pullSealed)) as SealedPull);
}

type PullRow = Owner & Pick<Stream, 'pullSealed' | 'pullOptions' | 'pullStartedAt' | 'pullReport'>;

/**
 * Fields `pull` and `pullStatus` of the stream object; empty without a pull.
 * @param whole whether secrets are included
 */
export function pullFields(
  row: PullRow,
  secrets: Secrets,
  whole: boolean,
): { readonly pull?: Pull; readonly pullStatus?: PullStatus } {
  const sealed = openPull(row, secrets);
  if (!sealed) return {};
  const options = row.pullOptions as unknown as Omit<Pull, 'source' | 'headers'> | null;
  const { source, headers } = sealed;
  const visibleSource = whole ? { source, ...(headers && { headers }) } : { source: maskedSource(source) };
  return { pull: { ...visibleSource, ...options }, pullStatus: statusOf(row) };
}

function statusOf({ pullStartedAt, pullReport }: PullRow): PullStatus {
  const report = pullReport as unknown as PullReport | null;
  const error = report?.error;
  const why = error === undefined ? {} : { error, ...reasonField('errorReason', error) };
  if (pullStartedAt === null) return { state: 'stopped', since: null, ...why };
  return { state: report?.state ?? 'waiting', since: report?.since ?? pullStartedAt.getTime(), ...why };
}

/** `issues` of a stream, including the issue of its pull. */
export function withPullIssue({ issues, pullReport }: Pick<Stream, 'issues' | 'pullReport'>): string[] {
  const { error } = (pullReport as unknown as PullReport | null) ?? {};
  return error === undefined ? issues : [...issues, error];
}
