import type { Translator } from '@/components/i18n/messages';
import type { Language } from '@/messages/languages';
import { formatSize } from '@/components/ui/figures';
import { asSentence } from '@/components/ui/form/server-messages';
import { formatDuration } from '@/components/ui/time-text';
import type { TransferReason } from '@/lib/client/uploads/tus-transfer';
import { MAX_FILES, type UploadRejection } from '@/lib/client/uploads/upload-queue';
import { remainingSeconds } from '@/lib/core/media/transfer-rate';
import { uploadTotals, type UploadPhase } from '@/lib/core/assets/upload-state';

type T = Translator<'upload.uploadText'>;

interface ShownUpload {
  readonly phase: UploadPhase;
  /** Size of the file, in bytes. */
  readonly size: number;
  /** Bytes that were sent. */
  readonly sent: number;
  /** Bytes per second; null while unknown. */
  readonly rate: number | null;
  /** Why the upload stopped or failed; null if it did not. */
  readonly reason: TransferReason | null;
}

const percent = (part: number, total: number): string =>
  `${total === 0 ? 0 : Math.floor((part / total) * 100)} %`;

/**
 * Status below the name of a file.
 * @param processingProgress progress of the processing, 0 to 1; null while unknown
 */
export function uploadStatus(
  t: T,
  upload: ShownUpload,
  processingProgress: number | null,
  language: Language,
): string {
  const { phase, size, sent, rate, reason } = upload;
  const sentPercent = percent(sent, size);
  switch (phase) {
    case 'queued':
      return sent > 0
        ? t('queuedAt', { at: sentPercent })
        : t('queued', { size: formatSize(size, language) });
    case 'uploading':
      return sent >= size ? t('checking') : speedText(t, upload, sentPercent, rate, language);
    case 'paused':
      return t('paused', { at: sentPercent });
    case 'detached':
      return t('detached', { at: sentPercent });
    case 'elsewhere':
      return t('elsewhere', { at: sentPercent });
    case 'processing':
      return processingProgress === null
        ? t('processing')
        : t('processingAt', { at: percent(processingProgress, 1) });
    case 'broken':
      return t('broken', { at: sentPercent, reason: describeReason(t, reason) ?? t('fault.connectionLost') });
    case 'ready':
      return t('ready');
    case 'failed':
      return describeReason(t, reason) ?? t('failed');
  }
}

/** English message of the service, to which there may be advice; null if the reason has none. */
export const serverMessageIn = (reason: TransferReason | null): string | null =>
  typeof reason === 'object' && reason && 'message' in reason ? reason.message : null;

/** The reason as a sentence; null without a reason. */
function describeReason(t: T, reason: TransferReason | null): string | null {
  if (reason === null) return null;
  if (typeof reason === 'string') return asSentence(reason);
  if ('text' in reason) return asSentence(reason.text);
  return t(`fault.${reason.fault}`, { status: String(reason.status) });
}

/** Progress, speed and remaining time: "25 % · 100 kB/s · 15 s left". */
function speedText(
  t: T,
  { size, sent }: ShownUpload,
  sentPercent: string,
  rate: number | null,
  language: Language,
): string {
  if (rate === null) return t('atOfSize', { at: sentPercent, size: formatSize(size, language) });
  const seconds = remainingSeconds(size - sent, rate);
  const speed = `${sentPercent} · ${formatSize(rate, language)}/s`;
  return seconds === null ? speed : `${speed} · ${t('left', { time: formatDuration(seconds) })}`;
}

/** Summary of all uploads. It has no rapidly changing numbers, because screen readers announce every change. */
export function uploadsHeadline(t: T, uploads: readonly ShownUpload[]): string {
  const { uploadingCount, processingCount, stoppedCount, readyCount, failedCount } = uploadTotals(uploads);
  if (uploadingCount > 0) return t('all.uploading', { count: uploadingCount });
  if (stoppedCount > 0) return t('all.stopped', { count: stoppedCount });
  if (processingCount > 0) return t('all.processing', { count: processingCount });
  if (failedCount > 0 && readyCount === 0) return t('all.failed', { count: failedCount });
  return failedCount > 0
    ? t('all.readyAndFailed', { count: readyCount, failed: failedCount })
    : t('all.ready', { count: readyCount });
}

/** Total progress, such as "43 % · 2 min 05 s left"; empty while nothing is being sent. */
export function uploadsProgress(t: T, uploads: readonly ShownUpload[]): string {
  const { progress, uploadingCount } = uploadTotals(uploads);
  if (uploadingCount === 0) return '';
  const unfinishedUploads = uploads.filter(({ phase }) => phase === 'queued' || phase === 'uploading');
  const remainingBytes = unfinishedUploads.reduce((sum, { size, sent }) => sum + size - sent, 0);
  const rates = unfinishedUploads.flatMap(({ rate }) => (rate === null ? [] : [rate]));
  const seconds = remainingSeconds(
    remainingBytes,
    rates.length === 0 ? null : rates.reduce((sum, rate) => sum + rate, 0),
  );
  const sentPercent = percent(progress, 1);
  return seconds ? `${sentPercent} · ${t('left', { time: formatDuration(seconds) })}` : sentPercent;
}

/** Message about rejected files: names the first one with its reason, and counts the others; empty without any. */
export function formatRejections(
  t: T,
  rejections: readonly { readonly name: string; readonly reason: UploadRejection }[],
): string {
  const [firstRejection] = rejections;
  if (!firstRejection) return '';
  const { name, reason } = firstRejection;
  const message = t(`rejected.${reason}`, { name, most: MAX_FILES });
  const otherCount = rejections.length - 1;
  return otherCount > 0 ? `${message} ${t('othersRejected', { count: otherCount })}` : message;
}
