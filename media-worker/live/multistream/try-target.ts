import { Readable } from 'node:stream';
import type { TargetTestFinding } from '@/lib/core/targets/target-finding';
import { type MuxedDestination, secretsOf } from '@/lib/core/targets/target-url';
import { EgressError } from '@/lib/infra/egress/egress-error';
import {
  publishTrialPlan,
  pushSecrets,
  deleteOptionFile,
  writeOptionFile,
} from '@/media-worker/media/ffmpeg/push-args';
import { runFfmpeg, type FfmpegResult } from '@/media-worker/media/ffmpeg/run';
import { connectTarget, type ConnectTargetOptions, type TargetConnection } from './connect-target';
import { MAX_REDIRECTS, findRedirect } from './target-redirect';
import type { Relay } from './relay';
import { findingOfConnection, findingOfPublish } from './target-finding';

/** Timeouts in milliseconds, together below ten seconds. */
export interface TrialLimits {
  readonly connectMs: number;
  readonly publishMs: number;
}

const defaultLimits: TrialLimits = { connectMs: 5_000, publishMs: 4_500 };
const sandbox = { memory: 2_000_000_000, fileSize: 0, nice: 0, network: true } as const;

type TrialOptions = Omit<ConnectTargetOptions, 'timeoutMs'> & { readonly limits?: TrialLimits };

/**
 * Connects to a target, requests a publish, and disconnects without sending media.
 * @throws Error if this machine cannot make the test, for example because its disk is full
 */
export async function tryTarget(options: TrialOptions): Promise<TargetTestFinding> {
  const { limits = defaultLimits } = options;
  const deadline = performance.now() + limits.connectMs + limits.publishMs;
  let { destination } = options;
  for (let redirectCount = 0; ; redirectCount++) {
    const remainingMs = Math.max(1, Math.floor(deadline - performance.now()));
    const remainingLimits = {
      connectMs: Math.min(limits.connectMs, remainingMs),
      publishMs: Math.min(limits.publishMs, remainingMs),
    };
    const { finding, redirect } = await tryOnce({ ...options, destination }, remainingLimits);
    if (redirect === null || redirectCount === MAX_REDIRECTS || performance.now() >= deadline) return finding;
    destination = redirect;
  }
}

interface TrialResult {
  readonly finding: TargetTestFinding;
  /** The destination that the server redirects to. */
  readonly redirect: MuxedDestination | null;
}

async function tryOnce(target: TrialOptions, limits: TrialLimits): Promise<TrialResult> {
  const { destination } = target;
  try {
    const connection = await connectTarget({ ...target, timeoutMs: limits.connectMs });
    const finding = await tryPublish(target, connection, limits.publishMs);
    return { finding, redirect: findRedirect(destination, connection.relay) };
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    return { finding: findingOfConnection(error, destination), redirect: null };
  }
}

async function tryPublish(
  { destination }: Pick<TrialOptions, 'destination'>,
  { address, relay }: TargetConnection,
  publishMs: number,
): Promise<TargetTestFinding> {
  let secretsFile: string | null = null;
  const timeout = AbortSignal.timeout(publishMs);
  // ffmpeg exits when its connection closes.
  timeout.addEventListener('abort', () => relay?.close(), { once: true });
  try {
    secretsFile = await writeOptionFile(pushSecrets(destination));
    const run = runFfmpeg(publishTrialPlan({ destination, address, secretsFile }), {
      stdin: Readable.from([]),
      sandbox,
      secrets: secretsOf(destination),
      signal: timeout,
    });
    const result = await run.whenDone;
    return findingOfTrial(result, relay, timeout.aborted);
  } finally {
    relay?.close();
    if (secretsFile !== null) await deleteOptionFile(secretsFile);
  }
}

const findingOfTrial = (result: FfmpegResult, relay: Relay | null, isTimedOut: boolean): TargetTestFinding =>
  result.ok && !isTimedOut ? { outcome: 'accepted' } : findingOfPublish(result, relay, isTimedOut);
