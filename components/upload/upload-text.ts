import type { Translator } from '@/components/i18n/messages';
import type { Language } from '@/messages/languages';
import { formatSize } from '@/components/ui/figures';
import { asSentence } from '@/components/ui/form/server-messages';
import { formatDuration } from '@/components/ui/time-text';
import type { TransferReason } from '@/lib/client/uploads/tus-transfer';
import { maxFiles, type UploadRefusal } from '@/lib/client/uploads/upload-queue';
import { secondsLeft } from '@/lib/core/media/transfer-rate';
import { uploadTotals, type UploadPhase } from '@/lib/core/assets/upload-state';

type T = Translator<'upload.uploadText'>;

interface ShownUpload {
  readonly phase: UploadPhase;
  readonly size: number;
  readonly sent: number;
  readonly rate: number | null;
  readonly reason: TransferReason | null;
}

const percent = (part: number, total: number): string =>
  `${total === 0 ? 0 : Math.floor((part / total) * 100)} %`;

/**
 * Status below a file's name.
 * @param work progress of the processing, 0 to 1; null while unknown
 */
export function uploadStatus(t: T, upload: ShownUpload, work: number | null, language: Language): string {
  const { phase, size, sent, rate, reason } = upload;
  const at = percent(sent, size);
  switch (phase) {
    case 'queued':
      return sent > 0 ? t('queuedAt', { at }) : t('queued', { size: formatSize(size, language) });
    case 'uploading':
      return sent >= size ? t('checking') : speedText(t, upload, at, rate, language);
    case 'paused':
      return t('paused', { at });
    case 'detached':
      return t('detached', { at });
    case 'elsewhere':
      return t('elsewhere', { at });
    case 'processing':
      return work === null ? t('processing') : t('processingAt', { at: percent(work, 1) });
    case 'broken':
      return t('broken', { at, reason: describeReason(t, reason) ?? t('fault.connectionLost') });
    case 'ready':
      return t('ready');
    case 'failed':
      return describeReason(t, reason) ?? t('failed');
  }
}

/** Message of the service in English, on which advice depends; null without one. */
export const serverMessageIn = (reason: TransferReason | null): string | null =>
  typeof reason === 'object' && reason && 'message' in reason ? reason.message : null;

function describeReason(t: T, reason: TransferReason | null): string | null {
  if (reason === null) return null;
  if (typeof reason === 'string') return asSentence(reason);
  if ('text' in reason) return asSentence(reason.text);
  return t(`fault.${reason.fault}`, { status: String(reason.status) });
}

function speedText(
  t: T,
  { size, sent }: ShownUpload,
  at: string,
  rate: number | null,
  language: Language,
): string {
  if (rate === null) return t('atOfSize', { at, size: formatSize(size, language) });
  const seconds = secondsLeft(size - sent, rate);
  const speed = `${at} · ${formatSize(rate, language)}/s`;
  return seconds === null ? speed : `${speed} · ${t('left', { time: formatDuration(seconds) })}`;
}

/** Summary of all uploads without rapidly changing numbers, because changes are announced. */
export function uploadsHeadline(t: T, uploads: readonly ShownUpload[]): string {
  const { uploading, processing, stopped, ready, failed } = uploadTotals(uploads);
  if (uploading > 0) return t('all.uploading', { count: uploading });
  if (stopped > 0) return t('all.stopped', { count: stopped });
  if (processing > 0) return t('all.processing', { count: processing });
  if (failed > 0 && ready === 0) return t('all.failed', { count: failed });
  return failed > 0 ? t('all.readyAndFailed', { count: ready, failed }) : t('all.ready', { count: ready });
}

/** Total progress: "43 % · 2 min 05 s left". Empty while nothing is being sent. */
export function uploadsProgress(t: T, uploads: readonly ShownUpload[]): string {
  const { progress, uploading } = uploadTotals(uploads);
  if (uploading === 0) return '';
  const open = uploads.filter(({ phase }) => phase === 'queued' || phase === 'uploading');
  const remainingBytes = open.reduce((sum, { size, sent }) => sum + size - sent, 0);
  const rates = open.flatMap(({ rate }) => (rate === null ? [] : [rate]));
  const seconds = secondsLeft(
    remainingBytes,
    rates.length === 0 ? null : rates.reduce((sum, rate) => sum + rate, 0),
  );
  const at = percent(progress, 1);
  return seconds ? `${at} · ${t('left', { time: formatDuration(seconds) })}` : at;
}

/** Refused files, in one or two sentences. */
export function refusedText(
  t: T,
  refusals: readonly { readonly name: string; readonly why: UploadRefusal }[],
): string {
  const [first] = refusals;
  if (!first) return '';
  const message = t(`refused.${first.why}`, { name: first.name, most: maxFiles });
  const otherRefusals = refusals.length - 1;
  return otherRefusals > 0 ? `${message} ${t('othersRefused', { count: otherRefusals })}` : message;
}
