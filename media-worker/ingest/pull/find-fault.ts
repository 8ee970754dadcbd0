import { isIP } from 'node:net';
import type { PullFinding } from '@/lib/core/streams/pull/pull-finding';
import type { PullSource } from '@/lib/core/streams/pull/pull-source';
import { connectFailureOf, type EgressError } from '@/lib/infra/egress/egress-error';
import type { FfmpegResult } from '@/media-worker/media/ffmpeg/run';
import { OwnIngestError } from '@/media-worker/live/multistream/connect-target';

const outcomesOfFailures = { connection_refused: 'connection_refused', silent: 'no_answer' } as const;

/** Maps an error of a connection to the finding for the stream's owner. */
export function findingOfEgress(error: EgressError, { host }: Pick<PullSource, 'host'>): PullFinding {
  if (error instanceof OwnIngestError) return { outcome: 'own_ingest' };
  switch (error.failure) {
    case 'tls':
      return { outcome: 'tls_failed' };
    case 'redirect':
      return { outcome: 'redirected' };
    case 'unreachable': {
      const failure = connectFailureOf(error);
      if (failure !== 'denied') return { outcome: outcomesOfFailures[failure] };
      const isAddress = isIP(host.replace(/^\[|\]$/g, '')) !== 0;
      return { outcome: isAddress ? 'address_not_public' : 'name_not_found' };
    }
    case 'timed_out':
      return { outcome: 'no_answer' };
    case 'aborted':
    case 'interrupted':
      return { outcome: 'lost' };
    case 'malformed':
    case 'too_large':
    case 'bad_request':
      return { outcome: 'not_readable', detail: error.message };
  }
}

/** Messages of libsrt in the output of ffmpeg about a listener that rejected the call. */
const srtRejection = /reject|passphrase|password|unsecure/i;
/** Messages of ffmpeg about media that it cannot read. */
const unreadableInput =
  /Invalid data found|Could not find codec|not in allowed|whitelist|does not contain any stream/i;

interface EndedRun {
  readonly kind: PullSource['kind'];
  readonly result: FfmpegResult;
  /** Whether media arrived before the run ended. */
  readonly isFlowing: boolean;
}

/** The finding of an ffmpeg run that ended without being stopped. */
export function findingOfRun({ kind, result, isFlowing }: EndedRun): PullFinding {
  if (result.ok) return { outcome: isFlowing ? 'ended' : 'no_media' };
  if (result.isKilled) return { outcome: 'interrupted' };
  if (isFlowing) return { outcome: 'lost' };
  const messages = (result.output ?? []).join('\n');
  const [, rejection] = /Server error: (.+)$/m.exec(messages) ?? [];
  if (rejection !== undefined) return { outcome: 'rejected', detail: rejection };
  if (kind === 'srt') return { outcome: srtRejection.test(messages) ? 'rejected' : 'no_answer' };
  if (unreadableInput.test(messages)) return { outcome: 'not_readable' };
  return { outcome: 'no_media' };
}
