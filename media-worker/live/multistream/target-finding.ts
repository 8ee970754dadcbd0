import { isIP } from 'node:net';
import { omitUndefined } from '@/lib/core/omit-undefined';
import type { TargetFinding, TargetTestFinding } from '@/lib/core/targets/target-finding';
import type { TargetDestination } from '@/lib/core/targets/target-url';
import { type EgressError, connectFailureOf } from '@/lib/infra/egress/egress-error';
import type { FfmpegResult } from '@/media-worker/media/ffmpeg/run';
import { OwnIngestError } from './connect-target';
import type { Relay } from './relay';
import { HANDSHAKE_BYTES } from './target-answers';

/** Messages with which libsrt reports that a listener rejected the connection. */
const srtRejection = /reject|passphrase|password|unsecure/i;

/** Whether a host, as `new URL` returns it, is an IP address. */
const isAddress = (host: string): boolean => isIP(host.replace(/^\[|\]$/g, '')) !== 0;

/** The reason why there is no connection to a target. */
export function findingOfConnection(error: EgressError, destination: TargetDestination): TargetTestFinding {
  if (error instanceof OwnIngestError) return { outcome: 'own_ingest' };
  if (error.failure === 'tls')
    return { outcome: 'tls_failed', detail: error.message.replace(/^[^:]*: /, '') };
  if (error.failure === 'timed_out' && destination.kind === 'whip') return { outcome: 'no_answer' };
  if (error.failure !== 'unreachable') {
    const usesTls = destination.kind === 'rtmp' && destination.tls;
    return { outcome: usesTls ? 'tls_failed' : 'handshake_failed' };
  }
  switch (connectFailureOf(error)) {
    case 'denied':
      return { outcome: isAddress(destination.host) ? 'address_not_public' : 'name_not_found' };
    case 'connection_refused':
      return { outcome: 'connection_refused' };
    case 'silent':
      return { outcome: 'no_answer' };
  }
}

/** The reason that ffmpeg reports for a publish that the receiver rejected; undefined if it reports none. */
const findRejection = (output: readonly string[]): string | undefined =>
  output.map((line) => /Server error: (.+)$/.exec(line)?.[1]).find(Boolean);

type RelayState = Pick<Relay, 'receivedBytes' | 'lossReason'>;

/**
 * The reason why a connected target did not accept the stream.
 * @param relay null for SRT
 * @param isTimedOut whether the attempt timed out
 */
export function findingOfPublish(
  result: FfmpegResult,
  relay: RelayState | null,
  isTimedOut: boolean,
): TargetTestFinding {
  const output = result.ok ? [] : (result.output ?? []);
  const rejection = findRejection(output);
  if (rejection) return { outcome: 'publish_rejected', detail: rejection };
  if (relay === null)
    return { outcome: srtRejection.test(output.join('\n')) ? 'publish_rejected' : 'no_answer' };
  const isSilent = relay.receivedBytes === 0 && relay.lossReason === null;
  if (isTimedOut || isSilent)
    return { outcome: relay.receivedBytes === 0 ? 'no_answer' : 'handshake_failed' };
  if (relay.receivedBytes < HANDSHAKE_BYTES) return { outcome: 'handshake_failed' };
  return { outcome: 'publish_rejected', detail: 'it closed the connection' };
}

/** Whether this node ended the push, so that the target is not to blame. */
export const isInterrupted = (result: FfmpegResult, lossReason: string | null): boolean =>
  !result.ok && result.isKilled === true && lossReason === null;

/**
 * The reason why a target stopped receiving.
 * @param lossReason why the connection broke, if known
 */
export function findingOfLoss(result: FfmpegResult, lossReason: string | null): TargetFinding {
  const output = result.ok ? [] : (result.output ?? []);
  const rejection = findRejection(output);
  if (rejection) return { outcome: 'publish_rejected', detail: rejection };
  if (lossReason === 'closed') return { outcome: 'closed' };
  const detail = lossReason ?? output.at(-1)?.replace(/^\[\w+ @ \w+\] /, '');
  return { outcome: 'lost', ...omitUndefined({ detail }) };
}
