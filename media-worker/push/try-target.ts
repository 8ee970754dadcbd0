import { isIP } from 'node:net';
import { Readable } from 'node:stream';
import type { TargetTestFinding } from '@/lib/core/targets/target-test';
import { secretsOf, type PushDestination } from '@/lib/core/targets/target-url';
import { EgressError, connectFailureOf } from '@/lib/infra/egress/egress-redirect';
import { publishTrialPlan, pushSecrets, removeOptionFile, writeOptionFile } from '../ffmpeg/push-args';
import { runFfmpeg, type FfmpegResult } from '../ffmpeg/run';
import {
  OwnIngestError,
  connectTarget,
  type ConnectTargetOptions,
  type TargetConnection,
} from './connect-target';
import { refusalIn } from './push-attempt';
import type { Relay } from './relay';

/** Milliseconds; both together stay below ten seconds. */
export interface TrialLimits {
  readonly connectMs: number;
  readonly publishMs: number;
}

const defaults: TrialLimits = { connectMs: 5_000, publishMs: 4_500 };
const sandbox = { memory: 2_000_000_000, fileSize: 0, nice: 0, network: true } as const;
/** S0, S1 and S2: what an RTMP server sends before anything else (RTMP specification 1.0, section 5.2). */
const handshakeBytes = 1 + 2 * 1_536;

type TrialOptions = Omit<ConnectTargetOptions, 'timeoutMs'> & { readonly limits?: TrialLimits };

/** Connects to a target, asks to publish, and disconnects without sending media. Never rejects. */
export async function tryTarget(options: TrialOptions): Promise<TargetTestFinding> {
  const { limits = defaults, ...target } = options;
  try {
    const connection = await connectTarget({ ...target, timeoutMs: limits.connectMs });
    return await tryPublish(target, connection, limits.publishMs);
  } catch (error) {
    if (error instanceof OwnIngestError) return { outcome: 'own_ingest' };
    if (error instanceof EgressError) return findingOf(error, options.destination);
    throw error;
  }
}

async function tryPublish(
  { destination }: Pick<TrialOptions, 'destination'>,
  { address, relay }: TargetConnection,
  publishMs: number,
): Promise<TargetTestFinding> {
  const secretsFile = await writeOptionFile(pushSecrets(destination));
  const timeout = AbortSignal.timeout(publishMs);
  // Without its connection ffmpeg ends at once.
  timeout.addEventListener('abort', () => relay?.close(), { once: true });
  try {
    const run = runFfmpeg(publishTrialPlan({ destination, address, secretsFile }), {
      stdin: Readable.from([]),
      sandbox,
      secrets: secretsOf(destination),
      signal: timeout,
    });
    const result = await run.done;
    return judge(result, relay, timeout.aborted);
  } finally {
    relay?.close();
    await removeOptionFile(secretsFile);
  }
}

function judge(result: FfmpegResult, relay: Relay | null, late: boolean): TargetTestFinding {
  if (result.ok && !late) return { outcome: 'accepted' };
  const said = result.ok ? [] : (result.said ?? []);
  const refusal = refusalIn(said);
  if (refusal) return { outcome: 'publish_rejected', detail: refusal };
  if (relay === null)
    return { outcome: srtRejection.test(said.join('\n')) ? 'publish_rejected' : 'no_answer' };
  if (late) return { outcome: relay.received === 0 ? 'no_answer' : 'handshake_failed' };
  if (relay.received < handshakeBytes) return { outcome: 'handshake_failed' };
  return { outcome: 'publish_rejected', detail: 'it closed the connection' };
}

/** Whether a host as `new URL` gives it is an address. */
const isAddress = (host: string): boolean => isIP(host.replace(/^\[|\]$/g, '')) !== 0;

/** Words of libsrt about a listener that answered with no. */
const srtRejection = /reject|passphrase|password|unsecure/i;

function findingOf(error: EgressError, destination: PushDestination): TargetTestFinding {
  if (error.failure === 'tls')
    return { outcome: 'tls_failed', detail: error.message.replace(/^[^:]*: /, '') };
  if (error.failure !== 'unreachable') {
    const tls = destination.kind === 'rtmp' && destination.tls;
    return { outcome: tls ? 'tls_failed' : 'handshake_failed' };
  }
  switch (connectFailureOf(error)) {
    case 'denied':
      return { outcome: isAddress(destination.host) ? 'address_not_public' : 'name_not_found' };
    case 'refused':
      return { outcome: 'connection_refused' };
    case 'silent':
      return { outcome: 'no_answer' };
  }
}
