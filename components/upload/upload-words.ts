import { asSentence } from '@/components/ui/form/server-sentences';
import { durationInWords, sizeInWords } from '@/components/ui/time-words';
import { secondsLeft } from '@/lib/core/media/transfer-rate';
import { uploadTotals, type UploadPhase } from '@/lib/core/assets/upload-state';

interface Shown {
  readonly phase: UploadPhase;
  readonly size: number;
  readonly sent: number;
  readonly rate: number | null;
  readonly reason: string | null;
}

const percent = (part: number, whole: number): string =>
  `${whole === 0 ? 0 : Math.floor((part / whole) * 100)} %`;

/** The line below a file's name. @param work progress of the processing, 0 to 1; null while it is not known */
export function uploadStatus(upload: Shown, work: number | null): string {
  const { phase, size, sent, rate, reason } = upload;
  const at = percent(sent, size);
  switch (phase) {
    case 'queued':
      return sent > 0 ? `Queued at ${at}` : `Queued · ${sizeInWords(size)}`;
    case 'uploading':
      return sent >= size ? 'Checking the file' : speedWords(upload, at, rate);
    case 'paused':
      return `Paused at ${at}`;
    case 'detached':
      return `Stopped at ${at} when you left the page. Choose the file again to resume.`;
    case 'elsewhere':
      return `${at} · in another tab`;
    case 'processing':
      return work === null ? 'Uploaded · processing' : `Uploaded · processing, ${percent(work, 1)}`;
    case 'broken':
      return `Stopped at ${at}. ${reason ?? 'The connection was lost.'}`;
    case 'ready':
      return 'Ready to play';
    case 'failed':
      return asSentence(reason ?? 'Failed for an unknown reason');
  }
}

function speedWords({ size, sent }: Shown, at: string, rate: number | null): string {
  if (rate === null) return `${at} of ${sizeInWords(size)}`;
  const seconds = secondsLeft(size - sent, rate);
  const left = seconds === null ? '' : ` · ${durationInWords(seconds)} left`;
  return `${at} · ${sizeInWords(rate)}/s${left}`;
}

/** All of them in a line, without numbers that change all the time: it is read out when it changes. */
export function uploadsHeadline(uploads: readonly Shown[]): string {
  const { uploading, processing, stopped, ready, failed } = uploadTotals(uploads);
  if (uploading > 0) return `Uploading ${files(uploading)}`;
  if (stopped > 0) return `${files(stopped)} ${stopped === 1 ? 'has' : 'have'} stopped`;
  if (processing > 0) return `Processing ${files(processing)}`;
  if (failed > 0 && ready === 0) return `${files(failed)} failed`;
  return failed > 0 ? `${files(ready)} ready, ${failed} failed` : `${files(ready)} ready`;
}

/** How far all of them are: "43 % · 2 min 05 s left". Empty when nothing is being sent. */
export function uploadsProgress(uploads: readonly Shown[]): string {
  const { progress, uploading } = uploadTotals(uploads);
  if (uploading === 0) return '';
  const open = uploads.filter(({ phase }) => phase === 'queued' || phase === 'uploading');
  const left = open.reduce((sum, { size, sent }) => sum + size - sent, 0);
  const rates = open.flatMap(({ rate }) => (rate === null ? [] : [rate]));
  const seconds = secondsLeft(left, rates.length === 0 ? null : rates.reduce((sum, rate) => sum + rate, 0));
  return percent(progress, 1) + (!seconds ? '' : ` · ${durationInWords(seconds)} left`);
}

/** What was not taken, in one sentence or two. */
export function refusedWords(refused: readonly { readonly name: string; readonly why: string }[]): string {
  const [first] = refused;
  if (!first) return '';
  const others = refused.length - 1;
  return `“${first.name}” ${first.why}.${others > 0 ? ` Neither ${others === 1 ? 'was one other file' : `were ${others} other files`} taken.` : ''}`;
}

function files(count: number): string {
  return count === 1 ? '1 file' : `${count} files`;
}
