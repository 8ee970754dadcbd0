import { asSentence } from '@/components/ui/form/server-sentences';
import { durationInWords } from '@/components/ui/time-words';
import type { StatusTone } from '@/components/ui/status-pill';
import type { Task } from '@/lib/contract/tasks/task';

/** What a task does, in a word or two. */
export function taskKind({ type, params }: Pick<Task, 'type' | 'params'>): string {
  if (type === 'transcode') return `Transcode to ${params.transcode?.profile.name ?? 'a rendition'}`;
  if (type === 'export')
    return params.export && 'ipfs' in params.export ? 'Export to IPFS' : 'Export to a URL';
  if (params.import?.url !== undefined) return 'Import from a URL';
  return params.import?.recordedSessionId === undefined ? 'Upload' : 'Recording';
}

/** The one word for a task's state, and its colour. */
export function taskStatus({ status }: Pick<Task, 'status'>): { label: string; tone: StatusTone } {
  switch (status.phase) {
    case 'pending':
      return { label: 'Waiting for the file', tone: 'idle' };
    case 'waiting':
      return status.retries === undefined
        ? { label: 'Queued', tone: 'idle' }
        : { label: 'Retry scheduled', tone: 'warn' };
    case 'running':
      return { label: 'Running', tone: 'accent' };
    case 'completed':
      return { label: 'Completed', tone: 'accent' };
    case 'failed':
      return { label: 'Failed', tone: 'warn' };
    case 'cancelled':
      return { label: 'Cancelled', tone: 'idle' };
  }
}

/** Progress and estimated time left: "43 % · 2 min 05 s left"; null while unknown. */
export function taskProgressWords({ status }: Pick<Task, 'status'>): string | null {
  const { phase, progress, updatedAt, expectedAt } = status;
  if (phase !== 'running' || progress === undefined) return null;
  const percent = `${Math.floor(progress * 100)} %`;
  // Both times are the server's: the clock of this machine may be wrong.
  const seconds = expectedAt === undefined ? 0 : (expectedAt - updatedAt) / 1_000;
  return seconds < 1 ? percent : `${percent} · ${durationInWords(seconds)} left`;
}

const convert = 'ffmpeg -i input -c:v libx264 -pix_fmt yuv420p -c:a aac output.mp4';

/** Known failures, and what can be done about each; the first that fits. */
const advice: readonly (readonly [RegExp, string])[] = [
  [/codec is|pixel format|not an MP4|cannot be decoded/, `Convert the file and upload it again: ${convert}`],
  [
    /at most \d+x\d+|frames per second/,
    'Make it smaller and upload it again: ffmpeg -i input -vf scale=1920:-2 -r 60 -c:a aac output.mp4',
  ],
  [/answered (401|403|404|410)/, 'Check that the URL is correct and works without a login.'],
  [
    /no public address/,
    'Check the URL and that the other server is up. For private addresses, the operator must set EGRESS_ALLOW_CIDRS.',
  ],
  [/no room left|not enough disk space/, 'The server’s disk is full. The operator must free up space.'],
  [/too large/, 'The operator can raise the limit with MAX_UPLOAD_BYTES.'],
];

/** What to do about a failure; null when the reason says it all. */
export function adviceFor(reason: string): string | null {
  return advice.find(([pattern]) => pattern.test(reason))?.[1] ?? null;
}

/** The reason as a sentence. */
export function failureWords({ status }: Pick<Task, 'status'>): string | null {
  const { errorMessage } = status;
  if (errorMessage === undefined) return status.phase === 'failed' ? 'Unknown reason.' : null;
  return asSentence(errorMessage);
}
