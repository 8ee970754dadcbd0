import type { Translator } from '@/components/i18n/messages';
import { asSentence } from '@/components/ui/form/server-messages';
import { formatDuration } from '@/components/ui/time-text';
import type { StatusTone } from '@/components/ui/status-pill';
import type { Task } from '@/lib/contract/tasks/task';
import type { TranslateMessage } from '@/lib/client/server-messages';

type T = Translator<'tasks.taskText'>;

/** Short label for what a task does: "Upload", "Transcode to 480p". */
export function taskKind(t: T, { type, params }: Pick<Task, 'type' | 'params'>): string {
  if (type === 'transcode') {
    const name = params.transcode?.profile.name;
    return name === undefined ? t('kind.transcode') : t('kind.transcodeTo', { name });
  }
  if (type === 'clip') return t('kind.clip');
  if (type === 'transcribe') return t('kind.transcribe');
  if (type === 'export')
    return params.export && 'ipfs' in params.export ? t('kind.exportToIpfs') : t('kind.exportToUrl');
  if (params.import?.replace) return t('kind.replace');
  if (params.import?.url !== undefined) return t('kind.importFromUrl');
  return params.import?.recordedSessionId === undefined ? t('kind.upload') : t('kind.recording');
}

const tones: Record<Task['status']['phase'], StatusTone> = {
  pending: 'idle',
  waiting: 'idle',
  running: 'accent',
  completed: 'accent',
  failed: 'warn',
  cancelled: 'idle',
};

/** Label and tone of the state of a task. */
export function taskStatus(t: T, { status }: Pick<Task, 'status'>): { label: string; tone: StatusTone } {
  const { phase, retries } = status;
  if (phase === 'waiting' && retries !== undefined) return { label: t('retryScheduled'), tone: 'warn' };
  return { label: t(`state.${phase}`), tone: tones[phase] };
}

/** Progress and estimated time left: "43 % · 2 min 05 s left"; null while unknown. */
export function taskProgressText(t: T, { status }: Pick<Task, 'status'>): string | null {
  const { phase, progress, updatedAt, expectedAt } = status;
  if (phase !== 'running' || progress === undefined) return null;
  const percent = `${Math.floor(progress * 100)} %`;
  // Both times are server times, because the browser's clock may be wrong.
  const seconds = expectedAt === undefined ? 0 : (expectedAt - updatedAt) / 1_000;
  return seconds < 1 ? percent : t('progressLeft', { percent, time: formatDuration(seconds) });
}

const convertCommand = 'ffmpeg -i input -c:v libx264 -pix_fmt yuv420p -c:a aac output.mp4';

const shrinkCommand = 'ffmpeg -i input -vf scale=1920:-2 -r 60 -c:a aac output.mp4';

/** Advice about known failures, by a pattern of their English message. The first match applies. */
const adviceByPattern: readonly (readonly [RegExp, (t: T) => string])[] = [
  [
    /codec is|container is|pixel format|not an MP4|cannot be decoded|cannot be converted|format of the file is not known/,
    (t) => t('advice.convert', { command: convertCommand }),
  ],
  [/, not a video$/, (t) => t('advice.notMedia')],
  [/at most \d+x\d+|frames per second/, (t) => t('advice.shrink', { command: shrinkCommand })],
  [/answered (401|403|404|410)/, (t) => t('advice.checkUrl')],
  [/no public address/, (t) => t('advice.privateAddress')],
  [/no room left|not enough disk space/, (t) => t('advice.diskFull')],
  [/too large/, (t) => t('advice.tooLarge')],
];

/** Advice about a failure with this English message; null if there is none. */
export function adviceFor(t: T, message: string): string | null {
  return adviceByPattern.find(([pattern]) => pattern.test(message))?.[1](t) ?? null;
}

/** Why a task failed or is retried, as a sentence; null without a failure. */
export function failureText(
  t: T,
  { status }: Pick<Task, 'status'>,
  translateMessage: TranslateMessage,
): string | null {
  const { errorMessage, errorReason } = status;
  if (errorMessage === undefined) return status.phase === 'failed' ? t('unknownReason') : null;
  return asSentence(translateMessage(errorMessage, errorReason));
}
